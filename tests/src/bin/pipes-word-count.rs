//! A Pipes program that counts words: the other end of the protocol, for tests of whoever runs it.
//!
//! As mapper it takes records or reads the lines of its split; as reducer it sends its sums up or writes its own file.
//! `peer.partition=true` in the job makes it choose reduces by a word's first byte. `PEER_FAULT` in its environment makes
//! it misbehave: `digest`, `exit`, `code`, `counter` or `early`.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::path::{Path, PathBuf};

use configuration::keys;
use wire::pipes::{self, Receiver, Sender, down, up};

const WORDS: i32 = 0;
const LINES: i32 = 1;

fn main() -> io::Result<()> {
    let fault = std::env::var("PEER_FAULT").unwrap_or_default();
    if fault == "early" {
        std::process::exit(3);
    }
    let port = std::env::var(keys::HADOOP_PIPES_COMMAND_PORT.name()).map_err(io::Error::other)?;
    let port: u16 = port.parse().map_err(io::Error::other)?;
    let socket = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    let mut peer = Peer {
        down: Receiver::new(BufReader::new(socket.try_clone()?)),
        up: Sender::new(BufWriter::new(socket)),
        conf: HashMap::new(),
        fault,
    };
    peer.authenticate()?;
    peer.prepare()?;
    peer.run()?;
    peer.up.int(up::DONE)?;
    peer.up.flush()
}

struct Peer {
    down: Receiver<BufReader<TcpStream>>,
    up: Sender<BufWriter<TcpStream>>,
    conf: HashMap<String, String>,
    fault: String,
}

impl Peer {
    fn authenticate(&mut self) -> io::Result<()> {
        let file = std::env::var(keys::HADOOP_PIPES_SHARED_SECRET_LOCATION.name()).map_err(io::Error::other)?;
        let mut password = match (std::fs::read(&file), std::env::var("PEER_SECRET_DIR")) {
            // Quirk: with the default file system local, Java writes the file where the client stood.
            (Err(_), Ok(dir)) => std::fs::read(Path::new(&dir).join(file))?,
            (read, _) => read?,
        };
        self.expect(down::AUTHENTICATION_REQ)?;
        let (digest, challenge) = (self.down.text()?, self.down.text()?);
        assert!(pipes::verify_digest(&password, &challenge, &digest), "the task does not know the password");
        if self.fault == "digest" {
            password.push(b'!');
        }
        self.up.int(up::AUTHENTICATION_RESP)?;
        self.up.bytes(pipes::digest(&password, &digest).as_bytes())?;
        self.up.flush()
    }

    fn expect(&mut self, code: i32) -> io::Result<()> {
        let found = self.down.int()?;
        if found == code { Ok(()) } else { Err(io::Error::other(format!("message {found}, not {code}"))) }
    }

    fn prepare(&mut self) -> io::Result<()> {
        self.expect(down::START)?;
        assert_eq!(self.down.int()?, pipes::VERSION);
        self.expect(down::SET_JOB_CONF)?;
        for _ in 0..self.down.int()? / 2 {
            let name = self.down.text()?;
            let value = self.down.text()?;
            self.conf.insert(name, value);
        }
        for (id, name) in [(WORDS, "WORDS"), (LINES, "LINES")] {
            self.up.int(up::REGISTER_COUNTER)?;
            self.up.int(id)?;
            self.up.bytes(b"PEER")?;
            self.up.bytes(name.as_bytes())?;
        }
        Ok(())
    }

    fn run(&mut self) -> io::Result<()> {
        match self.down.int()? {
            down::RUN_MAP => {
                let mut split = Vec::new();
                self.down.bytes(&mut split)?;
                let reduces = self.down.int()?;
                match self.down.int()? {
                    0 => self.map_file(&split, reduces),
                    _ => self.map_records(reduces),
                }
            }
            down::RUN_REDUCE => {
                let _ = self.down.int()?;
                let piped = self.down.int()? != 0;
                self.reduce(piped)
            }
            code => Err(io::Error::other(format!("message {code} where a task should start"))),
        }
    }

    /// Lines that begin within the split, but for its very first where another split ends in its middle.
    fn map_file(&mut self, split: &[u8], reduces: i32) -> io::Result<()> {
        let mut input = hadoop_io::DataInput::new(split);
        let path = input.utf8().map_err(io::Error::other)?;
        let start = input.long().map_err(io::Error::other)? as u64;
        let length = input.long().map_err(io::Error::other)? as u64;
        assert_eq!(input.remaining(), 0, "a split with a tail");
        let mut file = BufReader::new(File::open(local(&path))?);
        file.seek(SeekFrom::Start(start))?;
        let (mut at, mut line) = (start, Vec::new());
        if start > 0 {
            at += file.read_until(b'\n', &mut line)? as u64;
        }
        // A line that begins right where the split ends is still its own.
        while at <= start + length {
            line.clear();
            let read = file.read_until(b'\n', &mut line)? as u64;
            if read == 0 {
                break;
            }
            at += read;
            self.map_line(&line, reduces)?;
        }
        for done in [0.5, 1.0] {
            self.up.int(up::PROGRESS)?;
            self.up.float(done)?;
        }
        Ok(())
    }

    fn map_records(&mut self, reduces: i32) -> io::Result<()> {
        self.expect(down::SET_INPUT_TYPES)?;
        assert_eq!(self.down.text()?, "org.apache.hadoop.io.LongWritable");
        assert_eq!(self.down.text()?, "org.apache.hadoop.io.Text");
        let (mut key, mut value) = (Vec::new(), Vec::new());
        loop {
            match self.down.int()? {
                down::MAP_ITEM => {
                    self.down.bytes(&mut key)?;
                    assert_eq!(key.len(), 8, "a long's length");
                    self.down.bytes(&mut value)?;
                    self.map_line(&value, reduces)?;
                }
                down::CLOSE => return Ok(()),
                code => return Err(io::Error::other(format!("message {code} among records"))),
            }
        }
    }

    fn map_line(&mut self, line: &[u8], reduces: i32) -> io::Result<()> {
        let partitioned = self.conf.get("peer.partition").is_some_and(|value| value == "true");
        self.count(LINES, 1)?;
        self.misbehave()?;
        for word in line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
            if partitioned {
                self.up.int(up::PARTITIONED_OUTPUT)?;
                self.up.int(i32::from(word[0]) % reduces)?;
            } else {
                self.up.int(up::OUTPUT)?;
            }
            self.up.bytes(word)?;
            self.up.bytes(b"1")?;
            self.count(WORDS, 1)?;
        }
        Ok(())
    }

    fn misbehave(&mut self) -> io::Result<()> {
        match self.fault.as_str() {
            "exit" => std::process::exit(3),
            "code" => {
                self.up.int(99)?;
                self.up.flush()
            }
            "counter" => self.count(77, 1),
            _ => Ok(()),
        }
    }

    fn count(&mut self, id: i32, by: i64) -> io::Result<()> {
        self.up.int(up::INCREMENT_COUNTER)?;
        self.up.int(id)?;
        self.up.long(by)
    }

    fn reduce(&mut self, piped: bool) -> io::Result<()> {
        let mut file = if piped { None } else { Some(BufWriter::new(File::create(self.output_file())?)) };
        self.up.int(up::STATUS)?;
        self.up.bytes("counting\u{2026}".as_bytes())?;
        let (mut key, mut value) = (Vec::new(), Vec::new());
        let mut sum = None;
        loop {
            let code = self.down.int()?;
            if code == down::REDUCE_VALUE {
                self.down.bytes(&mut value)?;
                let number: i64 = String::from_utf8_lossy(&value).parse().map_err(io::Error::other)?;
                sum = Some(sum.unwrap_or(0) + number);
                continue;
            }
            if let Some(sum) = sum.take() {
                self.put(&key, sum, file.as_mut())?;
            }
            match code {
                down::REDUCE_KEY => self.down.bytes(&mut key)?,
                down::CLOSE => break,
                code => return Err(io::Error::other(format!("message {code} among groups"))),
            }
        }
        file.map_or(Ok(()), |mut file| file.flush())
    }

    fn put(&mut self, key: &[u8], sum: i64, file: Option<&mut BufWriter<File>>) -> io::Result<()> {
        if let Some(file) = file {
            file.write_all(key)?;
            return writeln!(file, "\t{sum}");
        }
        self.up.int(up::OUTPUT)?;
        self.up.bytes(key)?;
        self.up.bytes(sum.to_string().as_bytes())
    }

    fn output_file(&self) -> PathBuf {
        let dir = local(&self.conf["mapred.work.output.dir"]);
        let partition: u32 = self.conf["mapred.task.partition"].parse().expect("a number");
        std::fs::create_dir_all(&dir).expect("the output directory");
        dir.join(format!("part-{partition:05}"))
    }
}

fn local(uri: &str) -> PathBuf {
    PathBuf::from(uri.strip_prefix("file:").unwrap_or(uri))
}
