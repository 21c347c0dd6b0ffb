import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { findRipgrep } from "../../src/catalog/search/find-ripgrep.ts";

/**
 * A ripgrep for `PI_GROVE_RG` that says of one file that a part of it could not be read, as on a disk that fails, and searches the others.
 * Also root meets such a file, which may read all others.
 */
export async function ripgrepOnFailingDisk(directory: string, unread: string): Promise<string> {
	const { command } = await findRipgrep({});
	const path = join(directory, "rg");
	const said = `rg: ${unread}: Input/output error (os error 5)`;
	const script = `#!/bin/sh\n"${command}" "$@"\ncase "$*" in *${unread}*) echo "${said}" >&2; exit 2;; esac\n`;
	writeFileSync(path, script, { mode: 0o755 });
	return path;
}
