//! A scheduler and executors as processes; one of the executors is killed.

use std::error::Error;
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::programs::{PROGRAM, run};
use crate::tables::{WRONG_ROWS, boxes, write};

/// A process that ends with its value.
struct Process(Child);

impl Process {
    fn start(arguments: &str) -> std::io::Result<Self> {
        let mut command = Command::new(PROGRAM);
        command.args(arguments.split_whitespace());
        Ok(Self(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?))
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
    let _scheduler = Process::start(&format!(
        "scheduler --bind 127.0.0.1:{scheduler_port} --executor-timeout 10"
    ))?;
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
    let found = std::thread::scope(|scope| {
        let running = scope.spawn(|| run(folder, &on_cluster));
        sleep(Duration::from_millis(400));
        let was_running = !running.is_finished();
        lost.kill();
        (was_running, running.join())
    });
    let (was_running, Ok(found)) = found else { return Err("a panic".into()) };
    let found = found?;
    assert!(was_running);
    let told = String::from_utf8(found.stderr)?;
    assert_eq!(String::from_utf8(found.stdout)?, String::from_utf8(expected.stdout)?, "{told}");
    Ok(())
}
