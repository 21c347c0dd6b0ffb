import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { vi } from "vitest";
import { programPath, type Sandbox } from "./sandbox.ts";
import { createTempDir } from "./temp-dir.ts";

/** The sshd of this machine, by its absolute path, as it wants to be called; undefined where there is none. */
export const sshd: string | undefined = ["/usr/sbin/sshd", "/usr/local/sbin/sshd"].find(
	(path) => spawnSync(path, ["-V"]).error === undefined && spawnSync("ssh-keygen", ["-?"]).error === undefined,
);

/** An sshd on the loopback address, with keys of its own, for this user. */
export class SshServer {
	/** A directory with an `ssh` that knows this server as the host "mini", and no other one. */
	readonly bin: string;
	readonly #process: ChildProcess;
	readonly #remove: () => void;

	private constructor(bin: string, process: ChildProcess, remove: () => void) {
		this.bin = bin;
		this.#process = process;
		this.#remove = remove;
	}

	static async start(program: string): Promise<SshServer> {
		// sshd does not read keys in directories that others may write to.
		const { path, remove } = createTempDir();
		for (const name of ["host", "user"]) keygen(join(path, name));
		copyFileSync(join(path, "user.pub"), join(path, "authorized"));
		const port = await freePort();
		const log = join(path, "log");
		const server = {
			Port: port,
			ListenAddress: "127.0.0.1",
			HostKey: join(path, "host"),
			AuthorizedKeysFile: join(path, "authorized"),
			PidFile: "none",
			StrictModes: "no",
			UsePAM: "no",
			PasswordAuthentication: "no",
		};
		writeFileSync(join(path, "sshd_config"), settings(server));
		const client = {
			HostName: "127.0.0.1",
			Port: port,
			IdentityFile: join(path, "user"),
			IdentitiesOnly: "yes",
			UserKnownHostsFile: join(path, "known"),
			StrictHostKeyChecking: "accept-new",
			LogLevel: "ERROR",
		};
		writeFileSync(join(path, "ssh_config"), `Host mini\n${settings(client)}`);
		const bin = join(path, "bin");
		mkdirSync(bin);
		const real = spawnSync("sh", ["-c", "command -v ssh"], { encoding: "utf8" }).stdout.trim();
		writeFileSync(join(bin, "ssh"), `#!/bin/sh\nexec ${real} -F ${join(path, "ssh_config")} "$@"\n`);
		chmodSync(join(bin, "ssh"), 0o755);
		// Where it separates privileges, sshd needs this directory, which the service otherwise makes.
		if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true });
		const child = spawn(program, ["-D", "-f", join(path, "sshd_config"), "-E", log], { stdio: "ignore" });
		await vi.waitFor(
			() => {
				if (child.exitCode !== null) throw new Error(`sshd ended: ${readFileSync(log, "utf8")}`);
				if (!readFileSync(log, "utf8").includes("listening")) throw new Error("sshd does not listen yet");
			},
			{ timeout: 30_000 },
		);
		return new SshServer(bin, child, remove);
	}

	close(): void {
		this.#process.kill("SIGKILL");
		this.#remove();
	}
}

function keygen(path: string): void {
	const { status, stderr } = spawnSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", path], {
		encoding: "utf8",
	});
	if (status !== 0) throw new Error(`ssh-keygen failed: ${stderr}`);
}

function settings(values: Readonly<Record<string, string | number>>): string {
	return Object.entries(values)
		.map(([name, value]) => `${name} ${value}\n`)
		.join("");
}

/** A port that nobody listens on; sshd cannot choose one by itself. */
function freePort(): Promise<number> {
	return new Promise((resolve, reject) => {
		const server = createServer();
		server.on("error", reject);
		server.listen(0, "127.0.0.1", () => {
			const address = server.address();
			const port = typeof address === "object" && address !== null ? address.port : 0;
			server.close(() => resolve(port));
		});
	});
}

/** How pi-grove is started on another machine: the shell that ssh starts knows nothing of the home directory of the test. */
export function commandOn({ env: home }: Sandbox, program = programPath): string {
	const { HOME, PI_CODING_AGENT_DIR, XDG_CACHE_HOME, XDG_STATE_HOME, PATH } = home;
	const env = Object.entries({ HOME, PI_CODING_AGENT_DIR, XDG_CACHE_HOME, XDG_STATE_HOME, PATH });
	const words = env.map(([name, value]) => `${name}='${value}'`);
	return [...words, `'${process.execPath}'`, `'${program}'`].join(" ");
}
