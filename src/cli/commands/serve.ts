import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import packageFile from "../../../package.json" with { type: "json" };
import { findSessionRoots, rootOf } from "../../catalog/model/session-roots.ts";
import { serve } from "../../catalog/places/serve.ts";
import { startProgram } from "../../shared/v8-settings.ts";
import type { Arguments } from "../arguments/arguments.ts";
import { EXIT, Mistake } from "../print/output.ts";

/** Runs the commands that are requested on stdin until it ends; returns the exit code. */
export async function serveStdio({ stdio, sessionDir }: Arguments): Promise<number> {
	const { stdin, stdout, argv } = process;
	if (stdio !== true)
		throw new Mistake("serve answers on stdin and stdout only, and listens on no port: pi-grove serve --stdio");
	if (stdin.isTTY)
		throw new Mistake(
			"serve answers another program: see pi-grove places --help for how it is asked from another machine",
		);
	const sessions = rootOf(await findSessionRoots({ sessionDir }));
	const program = realpathSync(argv[1] ?? "");
	// Behind the command; words follow "--".
	const always = sessionDir === undefined ? [] : ["--session-dir", sessionDir];
	const greeting = { version: packageFile.version, home: homedir(), sessions };
	await serve(stdin, stdout, greeting, ([command = "", ...args]) =>
		startProgram(program, [command, ...always, ...args]),
	);
	// If nobody reads the answers any more, or a request was too long, the input is still open, and keeps the program running.
	stdin.destroy();
	return EXIT.ok;
}
