import packageFile from "../../package.json" with { type: "json" };
import { readArguments } from "./arguments/arguments.ts";
import type { NamedCommand } from "./arguments/command-table.ts";
import { checkSessionDir } from "./find/check-session-dir.ts";
import { leaveDeletedDirectory } from "./find/working-dir.ts";
import { EXIT } from "./print/exit-code.ts";
import { endWithPipe, note, printText } from "./print/output.ts";

/** Commands that need no directory of sessions: a shell that starts must not be told of one that is missing. */
const WITHOUT_SESSIONS: ReadonlySet<NamedCommand> = new Set<NamedCommand>(["completions", "help"]);

/** Does what the arguments ask for; returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
	leaveDeletedDirectory();
	const [first, ...others] = args;
	if (first === "__complete") {
		endWithPipe();
		const { complete } = await import("./help/complete.ts");
		return complete(others);
	}
	const request = readArguments(args);
	if (request.kind !== "browse") endWithPipe();
	switch (request.kind) {
		case "help": {
			const { help } = await import("./help/help.ts");
			return help({ words: request.command === undefined ? [] : [request.command] });
		}
		case "version":
			await printText(`pi-grove ${packageFile.version}\n`);
			return 0;
		case "mistake":
			note(`${request.message} (see pi-grove ${request.command === undefined ? "" : `${request.command} `}--help)`);
			return EXIT.failed;
		case "command": {
			// The browser says itself where there are no sessions.
			if (!WITHOUT_SESSIONS.has(request.command) && !(await checkSessionDir(request.given.sessionDir)))
				return EXIT.failed;
			const { runCommand } = await import("./run-command.ts");
			return runCommand(request.command, request.given);
		}
		case "browse": {
			const { browse } = await import("./browser/browse.ts");
			const { code, isStuck } = await browse(request.given);
			// Nobody should have to wait for what is still running.
			const { leave } = await import("./browser/leave.ts");
			leave(code, isStuck);
			return code;
		}
	}
}
