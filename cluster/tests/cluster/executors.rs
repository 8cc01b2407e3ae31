//! A scheduler and executors as processes, which are killed at random times, and others take their place.

use std::error::Error;
use std::fs::File;
use std::io::Write;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::programs::{PROGRAM, command, run};
use crate::random::Random;
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

/// How long a run may take: the loss is noticed after 10 s at the latest, and attempts that fail before are paid for by pauses.
const PATIENCE: Duration = Duration::from_secs(90);

/// How often an executor is killed: by default a few times.
const TRIALS: &str = "XCOLLIDE_TRIALS";

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

/// Starts an executor.
fn executor(scheduler_port: u16) -> std::io::Result<Process> {
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
}

#[test]
fn the_answer_stays_when_executors_and_the_scheduler_are_killed() -> Result<(), Box<dyn Error>> {
    let trials = std::env::var(TRIALS).map_or(Ok(3), |trials| trials.parse())?;
    let folder = tempfile::tempdir()?;
    let folder = folder.path();
    write(folder, &(boxes(7, 250, 50, 5) + WRONG_ROWS))?;
    let options = "clash table.csv --json --tolerance 0.5";
    let expected = String::from_utf8(run(folder, options)?.stdout)?;
    let scheduler_port = free_port()?;
    let scheduler = format!("scheduler --bind 127.0.0.1:{scheduler_port} --executor-timeout 10");
    let mut first = Process::start(&scheduler)?;
    let mut second = None;
    let mut executors = [executor(scheduler_port)?, executor(scheduler_port)?];
    let on_cluster = format!("{options} --cluster df://localhost:{scheduler_port} --partitions 8");
    let mut random = Random(trials);
    for trial in 0..=trials + 1 {
        let began = Instant::now();
        let mut running = start(folder, &on_cluster)?;
        sleep(Duration::from_millis(random.below(1200)));
        // In the first run nothing is lost, in the last one the scheduler.
        if trial > trials {
            first.kill();
            second = Some(Process::start(&scheduler)?);
        } else if trial > 0 {
            let lost = &mut executors[random.below(2) as usize];
            lost.kill();
            *lost = executor(scheduler_port)?;
        }
        let ended = running.ends_within(PATIENCE)?;
        let told = std::fs::read_to_string(folder.join("stderr"))?;
        assert!(ended, "trial {trial}: {told}");
        let found = std::fs::read_to_string(folder.join("stdout"))?;
        assert!(found == expected, "trial {trial}: {told}");
        // Seen with `--nocapture`, as trials are long.
        writeln!(std::io::stderr(), "trial {trial}: {:.1} s", began.elapsed().as_secs_f64())?;
    }
    drop(second);
    Ok(())
}
