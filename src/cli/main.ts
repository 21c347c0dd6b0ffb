import packageFile from "../../package.json" with { type: "json" };
import { readArguments } from "./arguments.ts";
import { helpText } from "./help.ts";
import { note, printText } from "./output.ts";

/** Exit code of a command line that cannot be understood. */
const USAGE_ERROR = 2;

/** Does what the arguments ask for; returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
	const request = readArguments(args);
	switch (request.kind) {
		case "help":
			await printText(helpText());
			return 0;
		case "version":
			await printText(`pi-grove ${packageFile.version}\n`);
			return 0;
		case "mistake":
			note(`${request.message} (see pi-grove --help)`);
			return USAGE_ERROR;
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
		case "browse": {
			const { browse } = await import("./browse.tsx");
			const code = await browse(request);
			// Nobody should have to wait for what is still running.
			process.exit(code);
		}
	}
}
