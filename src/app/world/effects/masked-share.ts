import { stat } from "node:fs/promises";
import packageFile from "../../../../package.json" with { type: "json" };
import { type Excerpt, excerptEntries, excerptMarkdown, excerptName } from "../../../conversation/markdown/excerpt.ts";
import { loadRenderers } from "../../../conversation/render/renderers.ts";
import type { KnownSecret } from "../../../conversation/share/find-secrets.ts";
import {
	type FindingGroup,
	findingGroups,
	maskSteps,
	type PreparedShare,
	prepareShare,
	type ShareRequest,
} from "../../../conversation/share/prepare-share.ts";
import { shareMarkdown } from "../../../conversation/share/share-markdown.ts";
import { TimeSlice } from "../../../shared/steps.ts";
import { fieldsOf, textOf } from "../../../store/format/fields.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { writeUnderFreeName } from "../../../store/write/text-file.ts";
import { readEnvSecrets } from "./read-env-secrets.ts";

export type ShareFormat = "markdown" | "html";

interface MaskedText {
	/** The text; each call starts over. */
	readonly pieces: () => Iterable<string>;
	/** What was found in it, masked or not. */
	readonly groups: readonly FindingGroup[];
	/** The title, masked: the name of the file is made from it. */
	readonly title: string;
}

/** Whose homes and secrets are masked. */
interface Owner {
	/** Home directory of the machine that the session is on. */
	readonly home: string;
	/** Whether that, and the session's directory, is another machine: a directory of that name here is not its own. */
	readonly isRemote: boolean;
}

/** Masks a branch of a session, or all branches, and examines everything that is to be shared. The secrets of its `.env` files are masked, too. */
export async function prepareSession({
	isRemote,
	...request
}: Omit<ShareRequest, "secrets"> & Owner): Promise<PreparedShare> {
	const secrets = isRemote ? [] : await secretsOf(request.session);
	return new TimeSlice().run(prepareShare({ ...request, secrets }));
}

/** The text of the shared file, in pieces; each call of the result starts over. */
export async function sharePieces(prepared: PreparedShare, format: ShareFormat): Promise<() => Iterable<string>> {
	if (format === "markdown") return () => shareMarkdown(prepared);
	const { pageHtml } = await import("../../../conversation/html/page-html.ts");
	const renderers = await loadRenderers();
	const maker = { version: packageFile.version, now: Date.now() };
	return () => pageHtml({ prepared, ...maker }, renderers);
}

const NOTHING_ALLOWED: ReadonlySet<never> = new Set();

/** Masks an excerpt. A turn or an entry is Markdown: only a branch makes a page. */
export async function maskExcerpt(
	excerpt: Excerpt,
	format: ShareFormat,
	{ home, isRemote }: Owner,
): Promise<MaskedText> {
	const { of, session, title, entryId } = excerpt;
	const request = { session, allowed: NOTHING_ALLOWED, home };
	if (of === "branch") {
		const prepared = await prepareSession({ ...request, isRemote, title, entryId, all: false });
		return { pieces: await sharePieces(prepared, format), groups: prepared.groups, title: prepared.title };
	}
	const secrets = isRemote ? [] : await secretsOf(session);
	const { masked, masker } = await new TimeSlice().run(maskSteps({ ...request, secrets, about: [title] }));
	const clean: Excerpt = { ...excerpt, session: masked, title: masker.mask(title, "") };
	const ids = new Set(excerptEntries(clean).map(({ id }) => id));
	const groups = findingGroups(masker.findings, ids, NOTHING_ALLOWED);
	// The home directory is masked, so that paths begin with "~" already.
	return { pieces: () => excerptMarkdown(clean, ""), groups, title: clean.title };
}

function secretsOf({ header }: Session): Promise<readonly KnownSecret[]> {
	return readEnvSecrets(textOf(fieldsOf(header).cwd));
}

export function remoteNote(place: string): string {
	return `The .env files of its directory are on ${place}: secrets that only they name are not masked.`;
}

export interface SaveTarget {
	readonly directory: string;
	/** File name without its extension, if the person chose one. @default made from the title */
	readonly name?: string;
	/** Extension without the dot. */
	readonly ending: string;
}

/** Saves a shared text under a free name, never overwriting a file; resolves to its path and its size in bytes. */
export async function saveShare(
	{ of, session, entryId }: Pick<Excerpt, "of" | "session" | "entryId">,
	{ title, pieces }: Pick<MaskedText, "title" | "pieces">,
	{ directory, name = excerptName({ of, entryId, title }), ending }: SaveTarget,
): Promise<{ readonly path: string; readonly size: number }> {
	return writeUnderFreeName({ directory, name, ending, pieces, mode: await modeFor(session.path) });
}

/** Mode of a file with parts of a session: readable by those who may read the session. */
export async function modeFor(sessionPath: string): Promise<number> {
	try {
		return ((await stat(sessionPath)).mode & 0o666) | 0o600;
	} catch {
		// The file is in another place, or has just been removed; its content is still in memory.
		return 0o600;
	}
}
