import { defaultStateDir } from "../catalog/model/session-roots.ts";
import { attempt } from "../shared/attempt.ts";
import { isWithin, join } from "../shared/paths.ts";
import { appendWholeLine } from "../store/files/append-line.ts";
import { readTextFileAsync } from "../store/files/open-file.ts";
import { fieldsOf, listOf, textOf } from "../store/format/fields.ts";
import { parseJson } from "../store/format/parse.ts";
import { NO_FILE } from "../store/write/files-below.ts";
import { keptContent } from "./kept-contents.ts";

/** A file that pi-grove itself replaced: it took changes back, put them in place, or undid that. */
export interface ReplacedFile {
	readonly path: string;
	/** Unix ms. */
	readonly timeMs: number;
	/** Marks of what it held before and after. */
	readonly before: string;
	readonly after: string;
}

/** Files of a directory that were replaced together: names below it, and marks of what is kept. */
interface Replacement {
	/** Said again after a crash, it counts once. */
	readonly id: string;
	readonly root: string;
	readonly files: ReadonlyArray<{ readonly name: string; readonly before: string; readonly after: string }>;
}

/** Beside the journal: one line for each time. */
const NOTES = "replaced.jsonl";

/** Notes that files were replaced, for the ledger. Where that cannot be written, it takes them for changed by somebody. */
export function noteReplaced(stateDir: string, { id, root, files }: Replacement): void {
	const marks = files.map(({ name, before, after }) => ({ name, before, after }));
	attempt(() => appendWholeLine(join(stateDir, NOTES), JSON.stringify({ id, at: Date.now(), root, files: marks })));
}

/** What was replaced in some directories, oldest first. */
export async function replacedFiles(roots: readonly string[]): Promise<readonly ReplacedFile[]> {
	const text = await readTextFileAsync(join(defaultStateDir(), NOTES)).catch(() => "");
	const notes = new Map(
		text.split("\n").map((line) => {
			const note = fieldsOf(parseJson(line));
			return [textOf(note.id), note] as const;
		}),
	);
	return [...notes.values()].flatMap(({ at, root, files }) => {
		if (typeof at !== "number" || typeof root !== "string") return [];
		if (!roots.some((one) => isWithin(one, root) || isWithin(root, one))) return [];
		return listOf(files)
			.map(fieldsOf)
			.map(({ name, before, after }) => ({
				...{ path: join(root, textOf(name)), timeMs: at, before: textOf(before), after: textOf(after) },
			}));
	});
}

/** What a mark stands for, undefined for no file; none if that is no longer kept. */
export async function replacedContents(mark: string): Promise<ReadonlyArray<string | undefined>> {
	if (mark === NO_FILE) return [undefined];
	return keptContent(defaultStateDir(), mark).then(
		(text) => [text],
		() => [],
	);
}
