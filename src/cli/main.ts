import packageFile from "../../package.json" with { type: "json" };
import { type Request, readArguments } from "./arguments.ts";
import { checkSessionDir } from "./check-session-dir.ts";
import { EXIT } from "./exit-code.ts";
import { helpText } from "./help.ts";
import { endWithPipe, note, printText } from "./output.ts";
import { leaveDeletedDirectory } from "./working-dir.ts";

/** Does what the arguments ask for; returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
	leaveDeletedDirectory();
	const request = readArguments(args);
	if (request.kind !== "browse") endWithPipe();
	if (isPrinted(request) && !(await checkSessionDir(request.sessionDir))) return EXIT.failed;
	switch (request.kind) {
		case "help":
			await printText(helpText());
			return 0;
		case "version":
			await printText(`pi-grove ${packageFile.version}\n`);
			return 0;
		case "mistake":
			note(`${request.message} (see pi-grove --help)`);
			return EXIT.failed;
		case "list": {
			const { list } = await import("./list.ts");
			return list(request);
		}
		case "search": {
			const { search } = await import("./search.ts");
			return search(request);
		}
		case "stats": {
			const { stats } = await import("./stats.ts");
			return stats(request);
		}
		case "standup": {
			const { standup } = await import("./standup.ts");
			return standup(request);
		}
		case "doctor": {
			const { doctor } = await import("./doctor.ts");
			return doctor(request);
		}
		case "browse": {
			const { browse } = await import("./browse.ts");
			const { code, isStuck } = await browse(request);
			// Nobody should have to wait for what is still running.
			const { leave } = await import("./leave.ts");
			leave(code, isStuck);
			return code;
		}
	}
}

/** Whether it is a command that prints something of the sessions; the browser says itself where there are none. */
function isPrinted(request: Request): request is Extract<Request, { readonly json: boolean }> {
	return "json" in request;
}
