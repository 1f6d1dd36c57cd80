//! Messages on standard input and output, a thread for each. A message that cannot be read is skipped, and the editor's
//! log says why.
//!
//! `lsp_server`'s own reader ends the session at the first message that it does not understand, and with it goes what
//! the editor wants to know of all other messages. Editors and their plugins do send such messages: an answer whose id
//! is null, say. So messages are cut apart here, and each is read by itself.
//!
//! Not here: what messages say (`begin`, `server`).

use crossbeam_channel::{Sender, bounded};
use lsp_server::{Connection, Message, Notification};
use lsp_types::notification::{Exit, LogMessage, Notification as _};
use lsp_types::{LogMessageParams, MessageType};
use serde_json::Value;
use std::io::{self, BufRead, Read};
use std::thread::{Builder, JoinHandle};

/// How many messages a queue takes in either direction before its sender has to wait.
const QUEUE: usize = 64;
/// Bytes of a message: a text of the largest source that is read, each byte of it escaped.
const MOST: u64 = 128 << 20;
/// Of a longer line only the end is read.
const LINE: usize = 4096;
const LENGTH: &str = "content-length:";

/// The threads of a connection.
pub struct Threads {
    reader: JoinHandle<io::Result<()>>,
    writer: JoinHandle<io::Result<()>>,
}

impl Threads {
    /// Waits for both, once the connection is dropped.
    ///
    /// # Errors
    /// An input or an output that failed.
    pub fn join(self) -> io::Result<()> {
        let gone = |_| io::Error::other("a thread of the connection has ended");
        self.reader.join().map_err(gone)??;
        self.writer.join().map_err(gone)?
    }
}

/// A connection on standard input and output.
///
/// # Errors
/// Threads that cannot be started.
pub fn stdio() -> io::Result<(Connection, Threads)> {
    let (sender, to_write) = bounded::<Message>(QUEUE);
    let (to_handle, receiver) = bounded(QUEUE);
    let log = sender.clone();
    let writer = Builder::new().name("write".into()).spawn(move || {
        let mut output = io::stdout().lock();
        to_write.iter().try_for_each(|m| m.write(&mut output))
    })?;
    let reader = Builder::new().name("read".into()).spawn(move || read(&mut io::stdin().lock(), &to_handle, &log))?;
    Ok((Connection { sender, receiver }, Threads { reader, writer }))
}

/// Hands over all messages up to the one that ends the session, or up to the end of the input.
fn read(input: &mut impl BufRead, handle: &Sender<Message>, log: &Sender<Message>) -> io::Result<()> {
    while let Some(came) = next(input)? {
        match came {
            Ok(m) => {
                let last = matches!(&m, Message::Notification(n) if n.method == Exit::METHOD);
                if handle.send(m).is_err() || last {
                    break;
                }
            }
            Err(why) => {
                let message = format!("a message was skipped: {why}");
                let said = LogMessageParams { typ: MessageType::WARNING, message };
                // Where nobody listens any more, the end comes from the other side.
                drop(log.send(Notification::new(LogMessage::METHOD.into(), said).into()));
            }
        }
    }
    Ok(())
}

/// The next message, or why it is none; nothing at the end of the input.
fn next(input: &mut impl BufRead) -> io::Result<Option<Result<Message, String>>> {
    let Some(length) = header(input)? else { return Ok(None) };
    let mut body = Vec::new();
    input.by_ref().take(length.min(MOST)).read_to_end(&mut body)?;
    let over = length.saturating_sub(MOST);
    if over > 0 {
        let dropped = io::copy(&mut input.by_ref().take(over), &mut io::sink())?;
        let why = format!("it has {length} bytes; at most {MOST} are read");
        return Ok((dropped == over).then_some(Err(why)));
    }
    Ok((body.len() as u64 == length).then(|| message(&body)))
}

/// Reads up to the empty line before a message; how many bytes the message has. What is no header is passed over, so that the
/// messages behind something that went wrong are found again.
fn header(input: &mut impl BufRead) -> io::Result<Option<u64>> {
    let mut length = None;
    while let Some(line) = line(input)? {
        let text = String::from_utf8_lossy(&line).to_ascii_lowercase();
        if let Some((_, value)) = text.rsplit_once(LENGTH) {
            length = value.trim().parse().ok();
        } else if text.trim().is_empty() && length.is_some() {
            return Ok(length);
        }
    }
    Ok(None)
}

/// A line, or its end where it is long; nothing at the end of the input.
fn line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    loop {
        let read = input.by_ref().take(LINE as u64).read_until(b'\n', &mut line)?;
        if read == 0 || line.ends_with(b"\n") {
            return Ok((!line.is_empty()).then_some(line));
        }
        line.drain(..line.len().saturating_sub(LINE));
    }
}

/// The message in a text of JSON.
fn message(body: &[u8]) -> Result<Message, String> {
    let value: Value = serde_json::from_slice(body).map_err(|e| format!("it is no JSON: {e}"))?;
    let (method, id) = (value.get("method"), value.get("id"));
    // Without its id a request would be taken for a notification, which nobody answers.
    if let (Some(method), Some(id)) = (method, id)
        && !id.is_string()
        && id.as_i64().is_none_or(|n| i32::try_from(n).is_err())
    {
        return Err(format!("the id of {method} is {}, and neither an integer of 32 bits nor a string", short(id)));
    }
    let what = short(&value);
    serde_json::from_value(value).map_err(|_| format!("it is no request, answer or notification: {what}"))
}

/// The beginning of a value, for a message.
fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(200) {
        Some((end, _)) => format!("{}..", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is heard of some bytes: methods and ids of messages, and `skipped` with a reason.
    fn heard(bytes: &[u8]) -> Vec<String> {
        let mut input = io::BufReader::with_capacity(7, bytes);
        let mut all = Vec::new();
        while let Some(came) = next(&mut input).expect("bytes can be read") {
            all.push(match came {
                Ok(Message::Request(r)) => format!("{} {}", r.method, r.id),
                Ok(Message::Response(r)) => format!("answer {}", r.id),
                Ok(Message::Notification(n)) => n.method,
                Err(why) => format!("skipped: {why}"),
            });
        }
        all
    }

    fn framed(body: &str) -> Vec<u8> {
        format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
    }

    const GOOD: &str = r#"{"jsonrpc":"2.0","method":"good"}"#;

    /// Whatever comes, the message behind it is heard.
    #[test]
    fn what_is_no_message_is_skipped() {
        for (body, why) in [
            (r#"{"id":null,"result":null}"#, "it is no request"),
            (r#"{"id":null,"method":"m"}"#, r#"the id of "m" is null"#),
            (r#"{"id":4294967296,"method":"m"}"#, r#"the id of "m" is 4294967296"#),
            (r#"{"id":1.5,"method":"m"}"#, "is 1.5"),
            (r#"{"id":[1],"method":"m"}"#, "is [1]"),
            (r#"[{"method":"m"}]"#, "it is no request"),
            ("7", "it is no request, answer or notification: 7"),
            ("{}", "it is no request"),
            (r#"{"method":null}"#, "it is no request"),
            ("{", "it is no JSON"),
            ("", "it is no JSON"),
            ("\u{0}", "it is no JSON"),
            (&"[".repeat(1000), "it is no JSON: recursion limit"),
        ] {
            let said = heard(&[framed(body), framed(GOOD)].concat());
            assert!(said.len() == 2 && said[0].contains(why) && said[1] == "good", "{body}: {said:?}");
        }
        let not_text = [&b"Content-Length: 2\r\n\r\n\xff\xfe"[..], &framed(GOOD)].concat();
        assert_eq!(heard(&not_text).last().map(String::as_str), Some("good"));
    }

    #[test]
    fn messages_are_found_again_behind_what_is_no_header() {
        for junk in [
            &b"\r\n\r\n"[..],
            b"hello\r\n\r\n",
            b"Content-Type: text\r\n\r\n{\"method\":\"lost\"}",
            b"Content-Length: x\r\n\r\n{}",
            b"Content-Length: -1\r\n\r\n{}",
            b"Content-Length: 99999999999999999999999\r\n\r\n{}",
            &[b'x'; 3 * LINE],
            b"\xff\xff\n",
        ] {
            assert_eq!(heard(&[junk, &framed(GOOD)].concat()), ["good"], "{}", String::from_utf8_lossy(junk));
        }
        // A length that is too small leaves a rest, which is no header either.
        let short = [&b"Content-Length: 2\r\n\r\n{}{}{}"[..], &framed(GOOD)].concat();
        assert_eq!(heard(&short).last().map(String::as_str), Some("good"));
        let typed = format!("content-type: x\ncontent-length:{}\n\n{GOOD}", GOOD.len());
        assert_eq!(heard(typed.as_bytes()), ["good"]);
        // The input ends within a message.
        assert_eq!(heard(&framed(GOOD)[..30]), [""; 0]);
        assert_eq!(heard(b"Content-Length: 1000000000000\r\n\r\n{}"), [""; 0]);
    }

    #[test]
    fn messages_of_all_kinds() {
        let all = [r#"{"id":1,"method":"m"}"#, r#"{"id":"a","method":"m"}"#, r#"{"id":-7,"result":{}}"#, GOOD];
        assert_eq!(heard(&all.map(framed).concat()), ["m 1", "m \"a\"", "answer -7", "good"]);
    }
}
