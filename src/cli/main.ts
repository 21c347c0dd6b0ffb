import { homedir } from "node:os";
import packageFile from "../../package.json" with { type: "json" };
import { findSessionRoots, missingRoot } from "../catalog/model/session-roots.ts";
import { readArguments } from "./arguments/arguments.ts";
import type { NamedCommand } from "./arguments/command-table.ts";
import { EXIT } from "./print/exit-code.ts";
import { endWithPipe, note, printText } from "./print/output.ts";

/** Commands that need no session directory: a shell that is starting should print no warning about a missing one. */
const WITHOUT_SESSIONS: ReadonlySet<NamedCommand> = new Set<NamedCommand>(["completions", "help"]);

/** Runs the program; returns the exit code. `args`: what follows the program's name. */
export async function main(args: readonly string[]): Promise<number> {
	leaveDeletedDirectory();
	const [first, ...others] = args;
	if (first === "__complete") {
		endWithPipe();
		const { complete } = await import("./completion/complete.ts");
		return complete(others);
	}
	const request = readArguments(args);
	if (request.kind !== "browse") endWithPipe();
	switch (request.kind) {
		case "help": {
			const { help } = await import("./help/help.ts");
			return help(request.given);
		}
		case "version":
			await printText(`pi-grove ${packageFile.version}\n`);
			return 0;
		case "mistake":
			note(`${request.message} (see pi-grove ${request.command === undefined ? "" : `${request.command} `}--help)`);
			return EXIT.failed;
		case "command": {
			// The browser reports a missing session directory itself.
			if (!WITHOUT_SESSIONS.has(request.command) && !(await checkSessionDir(request.given.sessionDir)))
				return EXIT.failed;
			const { runCommand } = await import("./run-command.ts");
			return runCommand(request.command, request.given);
		}
		case "browse": {
			const { browse } = await import("./browser/browse.ts");
			const { code, isStuck } = await browse(request.given);
			// Do not make the person wait for background work.
			const { leave } = await import("./browser/leave.ts");
			leave(code, isStuck);
			return code;
		}
	}
}

/**
 * Whether the session directory named by the option, the environment or the settings exists. If not, says so on stderr: a
 * mistyped path must not look like a machine without sessions.
 */
async function checkSessionDir(sessionDirFlag: string | undefined): Promise<boolean> {
	const mistake = missingRoot(await findSessionRoots({ sessionDirFlag }));
	if (mistake !== undefined) note(mistake);
	return mistake === undefined;
}

/** Where to go when the current directory was deleted; the root directory always exists. */
const FALLBACK_DIRECTORIES = [homedir, () => "/"];

/**
 * Leaves a current directory that was deleted, because no program can be started in it and relative paths have no meaning
 * there; says so on stderr.
 */
function leaveDeletedDirectory(): void {
	try {
		process.cwd();
	} catch {
		const directory = FALLBACK_DIRECTORIES.map((directoryOf) => directoryOf()).find(canEnter);
		note(`the current directory was deleted; going on in ${directory ?? "none"}`);
	}
}

function canEnter(directory: string): boolean {
	try {
		process.chdir(directory);
		return true;
	} catch {
		// The home directory may be missing, too.
		return false;
	}
}
