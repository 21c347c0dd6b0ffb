import { existsSync, readdirSync, rmSync } from "node:fs";
import module from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import packageFile from "../../../package.json";
import { defaultCacheDir } from "../../catalog/model/session-roots.ts";

/** Begins the names of the directories with compiled code; the version of the program follows. */
const CODE = "code-";

/**
 * Lets Node keep the compiled code of the modules that are loaded from now on, in our cache directory: compiling takes a
 * fifth of a start of the browser. Only where there is that directory already, which the index makes private.
 */
export function keepCompiledCode(): void {
	const cacheDir = defaultCacheDir(process.env, homedir());
	const name = `${CODE}${packageFile.version}`;
	try {
		if (!existsSync(join(cacheDir, name))) {
			// The code of other versions. Throws where there is no cache directory yet.
			const others = readdirSync(cacheDir).filter((each) => each.startsWith(CODE));
			for (const each of others) rmSync(join(cacheDir, each), { recursive: true, force: true });
		}
		module.enableCompileCache(join(cacheDir, name));
	} catch {
		// Without it the program starts a little slower.
	}
}
