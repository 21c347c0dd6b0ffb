import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ConnectionOptions, PlaceConnection } from "../../src/catalog/places/connection.ts";
import type { HostPlace } from "../../src/catalog/places/place.ts";
import { tempDir } from "./temp-dir.ts";

const HELLO = JSON.stringify({
	type: "hello",
	protocol: 1,
	oldest: 1,
	version: "9.9.9",
	home: "/home/bo",
	sessions: "/home/bo/s",
	now: 1,
});
/** A program called ssh, which does what a server must not be trusted with; its arguments and its process id are noted. */
export function fakeSsh(script: string) {
	const dir = tempDir();
	const bin = join(dir, "bin");
	mkdirSync(bin);
	writeFileSync(join(dir, "hello"), `${HELLO}\n`);
	writeFileSync(join(bin, "ssh"), `#!/bin/sh\ncd ${dir}\necho $$ > pid\nprintf '%s\\n' "$@" > arguments\n${script}\n`);
	chmodSync(join(bin, "ssh"), 0o755);
	const options: ConnectionOptions = {
		env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
		home: dir,
		cacheDir: join(dir, "cache"),
		stateDir: join(dir, "state"),
	};
	const open = (place: Partial<HostPlace> = {}, more: Partial<ConnectionOptions> = {}) =>
		PlaceConnection.open({ kind: "ssh", name: "mini", host: "mini.local", ...place }, { ...options, ...more });
	const pid = () => Number(readFileSync(join(dir, "pid"), "utf8"));
	return { dir, open, arguments: () => readFileSync(join(dir, "arguments"), "utf8").trimEnd().split("\n"), pid };
}

/** Answers the first request with these lines, and then waits. */
export const answering = (...answers: readonly object[]) =>
	`cat hello; read request; cat <<'END'\n${answers.map((one) => JSON.stringify(one)).join("\n")}\nEND\ncat > rest`;
