import { openFileAsync } from "../../../store/files/open-file.ts";
import type { Arguments } from "../../arguments/arguments.ts";
import { findWhole, isOutside } from "../../find/find-target.ts";
import { EXIT, Mistake, printBytes } from "../../print/output.ts";

export async function showRaw(args: Arguments): Promise<number> {
	const { words, offset = 0 } = args;
	const [word = ""] = words;
	if (process.stdout.isTTY)
		throw new Mistake("--raw prints the file as it is, which is not for a terminal: send it to a file or a pipe");
	// Another pi-grove may ask for what is listed, and for nothing else.
	if (await isOutside(word, args)) throw new Mistake(`${word} is not a session that is listed here`);
	const { handle, stats } = await openFileAsync((await findWhole(word, args)).path);
	try {
		if (offset < stats.size)
			for await (const bytes of handle.createReadStream({ start: offset, end: stats.size - 1, autoClose: false }))
				await printBytes(bytes);
	} finally {
		await handle.close();
	}
	return EXIT.ok;
}
