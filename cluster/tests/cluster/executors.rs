//! A scheduler and executors as processes; one of the executors is killed.

use std::error::Error;
use std::fs::File;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::programs::{PROGRAM, command, run};
use crate::tables::{WRONG_ROWS, boxes, write};

/// A process that ends with its value.
struct Process(Child);

impl Process {
    fn start(arguments: &str) -> std::io::Result<Self> {
        let mut command = Command::new(PROGRAM);
        command.args(arguments.split_whitespace());
        Ok(Self(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?))
    }

    /// Whether it ends within this time.
    fn ends_within(&mut self, limit: Duration) -> std::io::Result<bool> {
        let began = Instant::now();
        while self.0.try_wait()?.is_none() {
            if began.elapsed() > limit {
                return Ok(false);
            }
            sleep(Duration::from_millis(50));
        }
        Ok(true)
    }

    fn kill(&mut self) {
        // It may have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// How long a run may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// Starts the program in a folder, with its output in two files.
fn start(folder: &Path, arguments: &str) -> std::io::Result<Process> {
    let file = |name| Ok::<_, std::io::Error>(Stdio::from(File::create(folder.join(name))?));
    let mut command = command(folder, arguments);
    Ok(Process(command.stdout(file("stdout")?).stderr(file("stderr")?).spawn()?))
}

/// A port that nobody listens on, nor on the next one.
fn free_port() -> std::io::Result<u16> {
    loop {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        if port < u16::MAX && TcpListener::bind(("127.0.0.1", port + 1)).is_ok() {
            return Ok(port);
        }
    }
}

#[test]
fn the_answer_stays_when_an_executor_is_killed() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let folder = folder.path();
    write(folder, &(boxes(7, 250, 50, 5) + WRONG_ROWS))?;
    let options = "clash table.csv --json --tolerance 0.5";
    let expected = run(folder, options)?;
    let scheduler_port = free_port()?;
    let scheduler = || {
        Process::start(&format!(
            "scheduler --bind 127.0.0.1:{scheduler_port} --executor-timeout 10"
        ))
    };
    let mut first = scheduler()?;
    let executor = || -> Result<Process, Box<dyn Error>> {
        let port = free_port()?;
        let started = Process::start(&format!(
            "executor --scheduler localhost:{scheduler_port} --bind 127.0.0.1:{port} --tasks 2"
        ))?;
        // Until it has its ports, which the next one must not choose.
        let began = Instant::now();
        while TcpListener::bind(("127.0.0.1", port)).is_ok() && began.elapsed().as_secs() < 30 {
            sleep(Duration::from_millis(50));
        }
        Ok(started)
    };
    let mut executors = [executor()?, executor()?];
    sleep(Duration::from_secs(1));
    let on_cluster = format!("{options} --cluster df://localhost:{scheduler_port} --partitions 8");
    let found = run(folder, &on_cluster)?;
    let told = String::from_utf8(found.stderr)?;
    assert_eq!(
        String::from_utf8(found.stdout)?,
        String::from_utf8(expected.stdout.clone())?,
        "{told}"
    );
    let lost = &mut executors[0];
    let kept = format!("{on_cluster} --work kept");
    let mut running = start(folder, &kept)?;
    sleep(Duration::from_millis(400));
    assert!(running.0.try_wait()?.is_none());
    lost.kill();
    let mut ended = running.ends_within(PATIENCE)?;
    // It may never end (see "Failures" of the README). Then all is started anew, and the same command goes on.
    let mut anew = None;
    if !ended {
        running.kill();
        first.kill();
        executors[1].kill();
        anew = Some((scheduler()?, [executor()?, executor()?]));
        sleep(Duration::from_secs(1));
        running = start(folder, &kept)?;
        ended = running.ends_within(PATIENCE)?;
    }
    let told = std::fs::read_to_string(folder.join("stderr"))?;
    assert!(ended, "{told}");
    let found = std::fs::read_to_string(folder.join("stdout"))?;
    assert_eq!(found, String::from_utf8(expected.stdout)?, "{told}");
    drop(anew);
    Ok(())
}
