import { closeSync } from "node:fs";
import { openFile } from "../../store/files/open-file.ts";
import { CHUNK_BYTES, readLineAt } from "../../store/read/line-reader.ts";
import { textHash } from "../branches/text-hash.ts";
import { parseObject } from "../search/parse-object.ts";
import { textsOfEntry } from "./entry-texts.ts";
import type { Use } from "./use.ts";

/** The whole text of a use, read from its file; undefined where the file has another one there by now. Throws where it cannot be read. */
export function wholeText({ path, offset, part, text }: Use): string | undefined {
	const { fd } = openFile(path);
	try {
		const entry = readLineAt(fd, offset, Buffer.allocUnsafe(CHUNK_BYTES), parseObject);
		const found = entry && textsOfEntry(entry)[part];
		return found !== undefined && textHash(found.text) === text ? found.text : undefined;
	} finally {
		closeSync(fd);
	}
}
