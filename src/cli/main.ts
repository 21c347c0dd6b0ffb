import packageFile from "../../package.json" with { type: "json" };
import { readArguments } from "./arguments.ts";
import { checkSessionDir } from "./check-session-dir.ts";
import { EXIT } from "./exit-code.ts";
import { helpOf, helpText } from "./help.ts";
import { endWithPipe, note, printText } from "./output.ts";
import { leaveDeletedDirectory } from "./working-dir.ts";

/** Does what the arguments ask for; returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
	leaveDeletedDirectory();
	const request = readArguments(args);
	if (request.kind !== "browse") endWithPipe();
	switch (request.kind) {
		case "help":
			await printText(request.command === undefined ? helpText() : helpOf(request.command));
			return 0;
		case "version":
			await printText(`pi-grove ${packageFile.version}\n`);
			return 0;
		case "mistake":
			note(`${request.message} (see pi-grove --help)`);
			return EXIT.failed;
		case "command": {
			// The browser says itself where there are no sessions.
			if (!(await checkSessionDir(request.given.sessionDir))) return EXIT.failed;
			const { runCommand } = await import("./run-command.ts");
			return runCommand(request.command, request.given);
		}
		case "browse": {
			const { browse } = await import("./browse.ts");
			const { code, isStuck } = await browse(request.given);
			// Nobody should have to wait for what is still running.
			const { leave } = await import("./leave.ts");
			leave(code, isStuck);
			return code;
		}
	}
}
