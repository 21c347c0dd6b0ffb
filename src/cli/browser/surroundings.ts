import { type PiCommand, readPiCommand } from "../../app/world/effects/find-program.ts";
import { attempt } from "../../shared/attempt.ts";
import { join } from "../../shared/paths.ts";
import { type Env, xdgDir } from "../../shared/system.ts";
import { readTextFile } from "../../store/files/open-file.ts";
import { isDirectory } from "../../store/files/paths.ts";
import { Mistake } from "../print/output.ts";

/** The command that starts pi: from `--pi` (`typed`), else from PI_GROVE_PI, else "pi". Rejects with a `Mistake` if it cannot be used. */
export async function choosePi(typed: string | undefined, env: Env): Promise<PiCommand> {
	const text = typed ?? (isSet(env.PI_GROVE_PI) ? env.PI_GROVE_PI : undefined) ?? "pi";
	const pi = await readPiCommand(text, env);
	if (!("mistake" in pi)) return pi;
	throw new Mistake(`cannot use ${typed === undefined ? "PI_GROVE_PI" : "--pi"} "${text}": ${pi.mistake}`);
}

/** Whether an environment variable is set and not empty. */
export function isSet(value: string | undefined): boolean {
	return value !== undefined && value !== "";
}

/**
 * The directory for downloads, where other programs save files, too: the one that user-dirs.dirs of the XDG user directories
 * names, else "Downloads" in the home directory. Undefined if there is none.
 */
export function downloadsDirectory(env: Env, home: string): string | undefined {
	const [, named] =
		/^XDG_DOWNLOAD_DIR="(.+)"/m.exec(
			attempt(() => readTextFile(join(xdgDir("XDG_CONFIG_HOME", env, home), "user-dirs.dirs"))) ?? "",
		) ?? [];
	const candidates = [...(named === undefined ? [] : [named.replace(/^\$HOME/, () => home)]), join(home, "Downloads")];
	// A desktop without such a directory names the home directory itself.
	return candidates.find((path) => path.replace(/\/+$/, "") !== home && isDirectory(path));
}
