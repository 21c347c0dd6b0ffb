import type { SessionRow } from "../catalog/model/row.ts";
import { type BlameAnswer, type BlamedLine, candidates, type LineEdit } from "./blame.ts";
import { attestedAuthor, type CommitClaims } from "./commit-claims.ts";

/** What the claims of a commit are compared with. */
export interface ClaimFacts {
	/** The last edit with which a session added a line. */
	readonly editOf: (session: string, text: string) => LineEdit | undefined;
	/** The session that a text names; undefined if it is not here. */
	readonly sessionOf: (text: string) => string | undefined;
	/** The file, absolute. */
	readonly path: string;
}

const NOTE = "git-ai note";

/**
 * The answer for a line, given what its commit says. A note of git-ai is about this very line: it names the session, unless an edit of
 * another one proves the contrary. A trailer is about the commit: it chooses among candidates.
 */
export function withClaims(
	answer: BlameAnswer,
	{ text, origin }: Pick<BlamedLine, "text" | "origin">,
	claims: CommitClaims | undefined,
	facts: ClaimFacts,
): BlameAnswer {
	if (claims === undefined) return answer;
	const attested = origin && attestedAuthor(claims, origin.path, origin.number);
	if (attested === undefined) return withTrailers(answer, text, claims, facts);
	if ("person" in attested)
		return instead(answer, `the git-ai note of its commit says that ${attested.person} typed it`);
	const session = facts.sessionOf(attested.id);
	if (session === undefined)
		return instead(
			answer,
			`the git-ai note of its commit names a session that is not here: ${attested.tool} ${attested.id}`,
		);
	const candidate = answer.edits.find((edit) => edit.session === session);
	const edit = candidate ?? editOf(session, text, facts);
	if (answer.answer !== "exact")
		return { answer: "exact", edits: [edit], why: "the git-ai note of its commit names this session", source: NOTE };
	if (candidate !== undefined) return { ...answer, source: NOTE };
	return candidates([...answer.edits, edit], "the git-ai note of its commit names another session");
}

/** Nobody here wrote it as the note says; what an edit proves stays a candidate. */
function instead(answer: BlameAnswer, why: string): BlameAnswer {
	return answer.answer === "exact" ? candidates(answer.edits, why) : { answer: "unknown", edits: [], why };
}

function withTrailers(answer: BlameAnswer, text: string, { named }: CommitClaims, facts: ClaimFacts): BlameAnswer {
	const keys = new Map(
		named.flatMap(({ key, text: name }) => {
			const session = facts.sessionOf(name);
			return session === undefined ? [] : [[session, key] as const];
		}),
	);
	const [edit, ...otherEdits] = answer.edits.filter(({ session }) => keys.has(session));
	const [[session, key] = ["", ""], ...otherSessions] = keys;
	if (edit !== undefined && otherEdits.length === 0) {
		const source = keys.get(edit.session) ?? "";
		if (answer.answer === "exact") return { ...answer, source };
		return { answer: "exact", edits: [edit], why: `its commit names this session (${source})`, source };
	}
	if (answer.answer !== "unknown" || session === "" || otherSessions.length > 0) return answer;
	const why = `its commit names this session (${key}), but none of its edits has the line`;
	return { ...candidates([editOf(session, text, facts)], why), source: key };
}

/** The last edit with which a session added a line, else only the session. */
function editOf(session: string, text: string, { editOf: find, path }: ClaimFacts): LineEdit {
	return find(session, text) ?? { session, entryId: "", timeMs: Number.NaN, tool: "other", path, isHere: true };
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
/** A shorter beginning of an id may be a word, or a number. */
const LEAST_ID = 8;

/** Finds the session whose id, or the beginning of whose id alone, is in a text, such as a path or a URL. */
export function sessionFinder(rows: readonly Pick<SessionRow, "id" | "path">[]): (text: string) => string | undefined {
	const paths = new Map(rows.toReversed().map(({ id, path }) => [id, path]));
	return (text) => {
		const words = [text.trim(), ...(text.match(UUID) ?? []), ...text.split(/[^\w-]+/)];
		const whole = words.find((word) => word !== "" && paths.has(word));
		if (whole !== undefined) return paths.get(whole);
		const word = text.trim();
		if (word.length < LEAST_ID || !/^[0-9a-f-]+$/.test(word)) return undefined;
		const [match, ...otherMatches] = [...paths.keys()].filter((id) => id.startsWith(word));
		return match === undefined || otherMatches.length > 0 ? undefined : paths.get(match);
	};
}
