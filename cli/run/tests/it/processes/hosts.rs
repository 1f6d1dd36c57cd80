//! Ranks on hosts of their own, as far as their networks go.

use super::*;

/// Two hosts, as far as their networks go: namespaces with an address each, that go when this does. Iproute2 makes them, as root.
struct Hosts([String; 2]);

impl Hosts {
    fn new() -> Hosts {
        let names = ["a", "b"].map(|end| format!("meshloom-{}-{end}", std::process::id()));
        let hosts = Hosts(names);
        let [a, b] = &hosts.0;
        let ip = |line: &str| {
            let done = Command::new("ip").args(line.split(' ')).stderr(Stdio::null()).status();
            done.is_ok_and(|s| s.success())
        };
        let made = ip(&format!("netns add {a}"))
            && ip(&format!("netns add {b}"))
            && ip(&format!("link add eth netns {a} type veth peer name eth netns {b}"))
            && [(a, 1), (b, 2)].into_iter().all(|(name, host)| {
                ip(&format!("-n {name} addr add 10.77.0.{host}/24 dev eth"))
                    && ip(&format!("-n {name} link set eth up"))
                    && ip(&format!("-n {name} link set lo up"))
            });
        assert!(made, "no network namespaces: `ip netns` is not here or not allowed");
        hosts
    }

    /// The command, run on one of them.
    fn on(&self, host: usize, command: &Command) -> Command {
        let mut c = Command::new("ip");
        c.args(["netns", "exec", &self.0[host]]).arg(command.get_program()).args(command.get_args());
        command.get_envs().for_each(|(name, value)| {
            _ = match value {
                Some(value) => c.env(name, value),
                None => c.env_remove(name),
            };
        });
        if let Some(dir) = command.get_current_dir() {
            c.current_dir(dir);
        }
        c.env("MASTER_ADDR", "10.77.0.1").env("MASTER_PORT", "29517").env_remove("MESHLOOM_LISTEN_FD");
        c.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        c
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        for name in &self.0 {
            let _ = Command::new("ip").args(["netns", "del", name]).stderr(Stdio::null()).status();
        }
    }
}

/// Ranks find each other over a network between hosts, and a host that cannot be reached is named by its address.
#[test]
#[ignore = "needs network namespaces: `make test-hosts`, as root"]
fn ranks_meet_between_hosts() {
    let hosts = Hosts::new();
    let args = ["--steps", "6", "--json", "--timeout", "60"];
    let alone = losses(&Ranks::new(1, &args).finish()[0]);
    let mut ranks = Ranks::new(2, &args);
    ranks.commands = ranks.commands.iter().enumerate().map(|(k, c)| hosts.on(k, c)).collect();
    let ended = ranks.finish();
    assert_eq!((ended[1].code, losses(&ended[0])), (Some(0), alone), "{}", ended[1].stderr);
    // The cable is pulled.
    let cut = ["-n", &hosts.0[1], "link", "set", "eth", "down"];
    assert!(Command::new("ip").args(cut).status().unwrap().success());
    let mut ranks = Ranks::new(2, &["--steps", "6", "--timeout", "5"]);
    ranks.commands = ranks.commands.iter().enumerate().map(|(k, c)| hosts.on(k, c)).collect();
    let ended = ranks.finish();
    all_say(&ended[..1], 3, &["rank 1 of 2 did not come within 5 s"]);
    all_say(&ended[1..], 3, &["rank 0 at 10.77.0.1:29517"]);
}
