import { constants } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { envSecrets, type KnownSecret } from "../../../conversation/share/find-secrets.ts";
import { isAbsolute, join } from "../../../shared/paths.ts";

/** ".env", ".env.local"; not those that show others how theirs should look. */
const NAME = /^\.env(?:\.(?!.*(?:example|sample|template|dist|defaults?)(?:\.|$)).+)?$/i;
const MOST_FILES = 32;
/** Bytes of a file that are read: settings are short. */
const MOST_BYTES = 256 * 1024;

/** The secrets in the ".env" files of a directory, to be masked by value, and kept nowhere; none where it cannot be read. */
export async function readEnvSecrets(directory: string): Promise<readonly KnownSecret[]> {
	if (!isAbsolute(directory)) return [];
	const names = await readdir(directory).catch(() => []);
	const files = names.filter((name) => NAME.test(name)).slice(0, MOST_FILES);
	const texts = await Promise.all(files.map((name) => readStart(join(directory, name)).catch(() => "")));
	return texts.flatMap(envSecrets);
}

/** The start of a regular file; "" for anything else, as a named pipe, which would never end. */
async function readStart(path: string): Promise<string> {
	const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
	try {
		if (!(await file.stat()).isFile()) return "";
		const { buffer, bytesRead } = await file.read(Buffer.alloc(MOST_BYTES), 0, MOST_BYTES, 0);
		return buffer.toString("utf8", 0, bytesRead);
	} finally {
		await file.close();
	}
}
