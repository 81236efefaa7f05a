//! The program's process and socket: it is started, connects, and both sides prove that they know the job's token.
//!
//! Hadoop 1.2.1: mapred.pipes.Application.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use configuration::keys;
use storage::{CreateOptions, Path};
use wire::pipes::{self, Receiver, Sender, down, up};

use super::failed_to_send;
use crate::api::{Result, TaskContext, TaskError};
use crate::log;

/// The logger of Application.
const LOG: &str = "pipes.Application";

/// Messages are sent and read in pieces of this size.
const BUFFER_BYTES: usize = 128 * 1024;
/// How often the task looks whether the program has connected or ended.
const LOOK: Duration = Duration::from_millis(5);
/// How long a program that is told to abort may take for its last words.
const LAST_WORDS: Duration = Duration::from_secs(10);
/// The mode of the file that holds the password.
const SECRET_MODE: u32 = 0o400;

/// Sends to the program.
pub(super) type Downlink = Sender<BufWriter<Tee>>;

/// The socket, and the file that keeps what was sent.
#[derive(Debug)]
pub(super) struct Tee {
    socket: TcpStream,
    copy: Option<File>,
}

impl Tee {
    pub(super) fn socket(&self) -> &TcpStream {
        &self.socket
    }
}

impl Write for Tee {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.socket.write(bytes)?;
        if let Some(copy) = &mut self.copy {
            copy.write_all(&bytes[..written])?;
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.socket.flush()
    }
}

/// A running program that has proved itself.
pub(super) struct Application {
    process: Process,
    /// Down to the program.
    pub(super) downlink: Downlink,
    /// Up from the program.
    pub(super) uplink: Receiver<BufReader<TcpStream>>,
}

/// A process that ends with its task, unless it is let go.
struct Process(Option<Child>);

impl Process {
    fn ended(&mut self) -> io::Result<Option<ExitStatus>> {
        self.0.as_mut().map_or(Ok(None), Child::try_wait)
    }

    /// A program that is done ends by itself; somebody has to hear of it.
    fn let_go(mut self) {
        let Some(mut child) = self.0.take() else { return };
        if let Ok(None) = child.try_wait() {
            // Without the thread a dead process stays in the table until the child ends too.
            let _ = std::thread::Builder::new().name("pipes program".into()).spawn(move || child.wait());
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            // Nobody is left to hear of a failure here.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Application {
    /// Starts the program and tells it the job's configuration.
    pub(super) fn start(ctx: &TaskContext) -> Result<Self> {
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(TaskError::io("listen for the pipes program"))?;
        let mut process = launch(ctx, &listener)?;
        let socket = accept(&listener, &mut process).map_err(TaskError::io("wait for the pipes program"))??;
        let (downlink, uplink) = links(socket, ctx).map_err(TaskError::io("talk to the pipes program"))?;
        let mut application = Application { process, downlink, uplink };
        application.authenticate(&ctx.secret)?;
        application.tell_configuration(ctx).map_err(failed_to_send)?;
        Ok(application)
    }

    fn authenticate(&mut self, password: &[u8]) -> Result<()> {
        let challenge: String = std::iter::repeat_with(|| fastrand::u32(..0x7fff_ffff).to_string()).take(4).collect();
        let digest = pipes::digest(password, &challenge);
        let link = &mut self.downlink;
        let sent = link.int(down::AUTHENTICATION_REQ).and_then(|()| {
            link.bytes(digest.as_bytes())?;
            link.bytes(challenge.as_bytes())?;
            link.flush()
        });
        sent.map_err(failed_to_send)?;
        let answer = self
            .uplink
            .int()
            .and_then(|code| if code == up::AUTHENTICATION_RESP { self.uplink.text().map(Ok) } else { Ok(Err(code)) });
        match answer.map_err(TaskError::io("read the pipes program's proof"))? {
            Ok(answer) if pipes::verify_digest(password, &digest, &answer) => Ok(()),
            Ok(_) => Err(TaskError::io_exception("Authentication Failed: the pipes program sent a wrong digest")),
            Err(code) => {
                let message = format!("Message {code} received before authentication is complete");
                Err(TaskError::io_exception(message))
            }
        }
    }

    fn tell_configuration(&mut self, ctx: &TaskContext) -> io::Result<()> {
        self.downlink.int(down::START)?;
        self.downlink.int(pipes::VERSION)?;
        // As Java's iterator shows it: with the defaults, and variables as they were written.
        let pairs: Vec<(&str, &str)> = ctx.conf.with_defaults().map(|(name, value, _)| (name, value)).collect();
        self.downlink.job_conf(pairs.into_iter())
    }

    /// Ends the conversation: lets a program go that is done, else ends it and says why.
    pub(super) fn end(mut self, outcome: Result<()>) -> Result<()> {
        match outcome {
            Ok(()) => {
                let Application { process, downlink, uplink } = self;
                drop((downlink, uplink));
                process.let_go();
                Ok(())
            }
            Err(TaskError::Killed) => Err(TaskError::Killed),
            Err(cause) => {
                log::info(LOG, format_args!("Aborting because of {}: {cause}", cause.java_class()));
                abort(&mut self.downlink);
                let ended = self.process.ended().ok().flatten();
                let ended = ended.map(|status| format!(" ({status})")).unwrap_or_default();
                Err(TaskError::io_exception(format!("pipe child exception: {}: {cause}{ended}", cause.java_class())))
            }
        }
    }
}

/// Tells the program to give up; it has little time to answer. What fails now has failed before.
pub(super) fn abort(downlink: &mut Downlink) {
    let _ = downlink.int(down::ABORT).and_then(|()| downlink.flush());
    let socket = downlink.sink().get_ref().socket();
    let _ = socket.shutdown(Shutdown::Write);
    let _ = socket.set_read_timeout(Some(LAST_WORDS));
}

fn links(socket: TcpStream, ctx: &TaskContext) -> io::Result<(Downlink, Receiver<BufReader<TcpStream>>)> {
    socket.set_nonblocking(false)?;
    socket.set_nodelay(true)?;
    let uplink = Receiver::new(BufReader::with_capacity(BUFFER_BYTES, socket.try_clone()?));
    let keep = ctx.conf.get_or(&keys::HADOOP_PIPES_COMMAND_FILE_KEEP, false);
    let copy = keep.then(|| File::create(ctx.work_dir.join(pipes::COMMAND_FILE))).transpose()?;
    let downlink = Sender::new(BufWriter::with_capacity(BUFFER_BYTES, Tee { socket, copy }));
    Ok((downlink, uplink))
}

/// Starts the first file of the job's cache, in the attempt's directory.
fn launch(ctx: &TaskContext, listener: &TcpListener) -> Result<Process> {
    let conf = &ctx.conf;
    let files = conf.get_optional(&keys::MAPRED_CACHE_LOCAL_FILES)?.unwrap_or_default();
    let program = files.first().ok_or_else(|| {
        TaskError::runtime(format!(
            "{} names no file: the pipes program is missing",
            keys::MAPRED_CACHE_LOCAL_FILES.name()
        ))
    })?;
    make_executable(program);
    write_password(ctx)?;
    let port = listener.local_addr().map_err(TaskError::io("listen for the pipes program"))?.port();
    let mut command = match conf.get_optional(&keys::HADOOP_PIPES_EXECUTABLE_INTERPRETOR)? {
        Some(interpreter) => {
            let mut command = Command::new(interpreter);
            command.arg(program);
            command
        }
        None => Command::new(program),
    };
    command
        .current_dir(&ctx.work_dir)
        .stdin(Stdio::null())
        .env("TMPDIR", ctx.work_dir.join(conf.get(&keys::MAPRED_CHILD_TMP)?))
        .env(keys::HADOOP_PIPES_COMMAND_PORT.name(), port.to_string())
        .env(keys::HADOOP_PIPES_SHARED_SECRET_LOCATION.name(), format!("./{}", pipes::SECRET_FILE));
    let child = command.spawn().map_err(|error| {
        TaskError::io_exception(format!("Cannot run program \"{}\": {error}", command.get_program().to_string_lossy()))
    })?;
    Ok(Process(Some(child)))
}

/// Files of a job come without the bit that lets them run.
fn make_executable(program: &str) {
    if let Ok(metadata) = std::fs::metadata(program) {
        let mode = metadata.permissions().mode();
        if mode & 0o100 == 0 {
            // Failing to do so shows when the program is started.
            let _ = std::fs::set_permissions(program, std::fs::Permissions::from_mode(mode | 0o100));
        }
    }
}

fn write_password(ctx: &TaskContext) -> Result<()> {
    let path = Path::local(ctx.work_dir.join(pipes::SECRET_FILE));
    let file_system = ctx.storage.for_path(&path)?;
    // An earlier task of the same child may have left one that nobody may write.
    file_system.delete(&path, false)?;
    Ok(file_system.write_all(&path, &ctx.secret, CreateOptions::OVERWRITE.with_mode(SECRET_MODE))?)
}

/// Waits until the program connects. One that fails before will never do so, where Java waits until the task times out.
fn accept(listener: &TcpListener, process: &mut Process) -> io::Result<Result<TcpStream>> {
    listener.set_nonblocking(true)?;
    loop {
        match listener.accept() {
            Ok((socket, _)) => return Ok(Ok(socket)),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
        if let Some(status) = process.ended()?.filter(|status| !status.success()) {
            let message = format!("the pipes program ended before it connected: {status}");
            return Ok(Err(TaskError::io_exception(message)));
        }
        std::thread::sleep(LOOK);
    }
}
