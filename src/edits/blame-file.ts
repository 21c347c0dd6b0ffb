import type { BlameAnswer, BlamedLine, LineEdit } from "./blame.ts";
import type { BlamedFile } from "./blamed-file.ts";
import { sessionFinder, withClaims } from "./claimed-answer.ts";
import { readClaims } from "./commit-claims.ts";
import { type AuthorsOptions, type FileAuthors, fileAuthors } from "./line-authors.ts";

export interface AnsweredLine {
	readonly line: BlamedLine;
	readonly answer: BlameAnswer;
}

/** Who wrote the lines that were asked about, and all edits of the file. */
export interface AnsweredFile {
	readonly lines: readonly AnsweredLine[];
	readonly edits: readonly LineEdit[];
	/** What could not be read: one sentence each. */
	readonly unread: readonly string[];
}

/** Who wrote the lines that were asked about. Rejects with a `RipgrepError` if ripgrep cannot be used. */
export async function answersFor(file: BlamedFile, options: AuthorsOptions): Promise<AnsweredFile> {
	const askedLines = file.lines.slice(file.from - 1, file.to);
	let authors: FileAuthors | undefined;
	try {
		const hashes = new Set(askedLines.flatMap(({ commit }) => commit?.hash ?? []));
		// Git is asked while ripgrep searches.
		const reading = file.repository && readClaims(file.repository, [...hashes]);
		authors = await fileAuthors(file, options);
		const history = await authors.history();
		const origins = history.originsOf(file.path, file.text);
		const claims = await reading;
		const sessionOf = sessionFinder(options.rows);
		const { answerFor } = authors;
		const facts = { ...authors, sessionOf, path: file.path };
		const lines = askedLines.map((line): AnsweredLine => {
			const answer = answerFor(origins[line.number - 1] ?? { kind: "before" }, line.text);
			const claim = claims?.get(line.commit?.hash ?? "");
			return { line, answer: withClaims(answer, line, claim, facts) };
		});
		return { lines, edits: authors.edits, unread: authors.unread };
	} finally {
		authors?.ledger.grounds.close();
		file.repository?.close();
	}
}
