import { homedir } from "node:os";
import { defaultCacheDir, defaultStateDir, findSessionRoots } from "../../catalog/model/session-roots.ts";
import { serve } from "../../catalog/places/serve.ts";
import type { Given } from "../arguments/arguments.ts";
import { EXIT, note } from "../print/output.ts";

/** Answers requests on stdin until it ends; returns the exit code. */
export async function serveStdio({ stdio, sessionDir }: Given): Promise<number> {
	if (stdio !== true) {
		note("serve answers on stdin and stdout only, and listens on no port: pi-grove serve --stdio");
		return EXIT.failed;
	}
	const { env, stdin, stdout } = process;
	if (stdin.isTTY) {
		note("serve answers another program: see pi-grove places --help for how it is asked from another machine");
		return EXIT.failed;
	}
	const home = homedir();
	const sessionRoots = await findSessionRoots({ sessionDirFlag: sessionDir });
	const [cacheDir, stateDir] = [defaultCacheDir(env, home), defaultStateDir(env, home)];
	await serve(stdin, stdout, { sessionRoots, home, cacheDir, stateDir });
	// If nobody reads the answers any more, or a request was too long, the input is still open, and keeps the program running.
	stdin.destroy();
	return EXIT.ok;
}
