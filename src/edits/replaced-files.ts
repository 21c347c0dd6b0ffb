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
	/** What it held, undefined for no file; none if that is no longer kept. */
	readonly before: ReadonlyArray<string | undefined>;
	readonly after: ReadonlyArray<string | undefined>;
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

/** What was replaced in some directories, oldest first. `isWanted`: whether the contents of a file are. */
export async function replacedFiles(
	roots: readonly string[],
	isWanted: (path: string) => boolean = () => true,
): Promise<readonly ReplacedFile[]> {
	const stateDir = defaultStateDir();
	const text = await readTextFileAsync(join(stateDir, NOTES)).catch(() => "");
	const notes = new Map(
		text.split("\n").map((line) => {
			const note = fieldsOf(parseJson(line));
			return [textOf(note.id), note] as const;
		}),
	);
	const replaced: ReplacedFile[] = [];
	for (const { at, root, files } of notes.values()) {
		if (typeof at !== "number" || typeof root !== "string") continue;
		if (!roots.some((one) => isWithin(one, root) || isWithin(root, one))) continue;
		for (const file of listOf(files).map(fieldsOf)) {
			const path = join(root, textOf(file.name));
			if (!isWanted(path)) continue;
			const contents = [file.before, file.after].map((mark) => contentsOf(stateDir, mark));
			const [before = [], after = []] = await Promise.all(contents);
			replaced.push({ path, timeMs: at, before, after });
		}
	}
	return replaced;
}

async function contentsOf(stateDir: string, mark: unknown): Promise<ReplacedFile["before"]> {
	if (mark === NO_FILE) return [undefined];
	if (typeof mark !== "string") return [];
	return keptContent(stateDir, mark).then(
		(text) => [text],
		() => [],
	);
}
