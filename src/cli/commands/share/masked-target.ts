import { homedir } from "node:os";
import { readEnvSecrets } from "../../../app/world/effects/read-env-secrets.ts";
import { saidFirst } from "../../../catalog/model/row.ts";
import { extractTexts } from "../../../catalog/query/extract.ts";
import type { Query } from "../../../catalog/query/parse-query.ts";
import { startSnippet } from "../../../catalog/query/snippet.ts";
import { bestSnippet } from "../../../catalog/search/match-line.ts";
import type { SessionResult } from "../../../catalog/search-rows.ts";
import { maskSteps } from "../../../conversation/share/prepare-share.ts";
import { isObject } from "../../../shared/json.ts";
import { TimeSlice } from "../../../shared/steps.ts";
import { readChecked } from "../../../store/held/hold-session.ts";
import { shortenHome } from "../../../ui/text/format.ts";
import type { ReadTarget } from "../../find/find-target.ts";

const NOTHING_ALLOWED: ReadonlySet<never> = new Set();

/** The session with everything masked that `export` masks, its row included; paths begin with "~". */
export async function maskedTarget(read: ReadTarget): Promise<ReadTarget> {
	const { session, row, entry, name, home, isRemote } = read;
	const secrets = isRemote ? [] : await readEnvSecrets(row.cwd);
	const { masked, masker } = await new TimeSlice().run(
		maskSteps({
			session,
			allowed: NOTHING_ALLOWED,
			home,
			secrets,
			about: [row.name ?? "", row.firstMessage, row.prompt ?? ""],
		}),
	);
	const maskAll = <Text extends string | undefined>(text: Text) => (text === undefined ? text : masker.mask(text, ""));
	const path = shortenHome(row.path, home);
	const clean = {
		...row,
		path,
		cwd: masker.mask(row.cwd, ""),
		name: maskAll(row.name),
		firstMessage: masker.mask(row.firstMessage, ""),
		prompt: maskAll(row.prompt),
		parentSession: maskAll(row.parentSession),
		diagnostics: masked.diagnostics,
	};
	const same = entry === undefined ? undefined : masked.tree.byId.get(entry.id);
	const rest = { session: masked, row: clean, name: name === row.path ? path : name, home: "" };
	return { ...read, ...rest, ...(same !== undefined && { entry: same }) };
}

/** Whether a text is still in a session that was masked. */
function hasText({ session }: ReadTarget, text: string): boolean {
	return session.entries.some(
		(entry: unknown) => isObject(entry) && extractTexts(entry).some(({ composed }) => composed.includes(text)),
	);
}

/** A search result, masked: the snippet is cut from the masked text, so that it holds no part of a secret. */
export async function maskedResult(result: SessionResult, query: Query): Promise<SessionResult> {
	const { best, row } = result;
	const session = await readChecked(result.path);
	const read = await maskedTarget({ session, path: row.path, row, name: row.path, home: homedir(), isRemote: false });
	const entry: unknown = read.session.entries.find(({ id }) => session.lines.get(id) === best.line);
	const text = best.kind === "cwd" ? read.row.cwd : saidFirst(read.row);
	const snippet = (isObject(entry) && bestSnippet(entry, best.kind, query)) || startSnippet(text);
	const other = result.other?.map((one) => (hasText(read, one.matched) ? one : { ...one, matched: "‹masked›" }));
	const clean = { ...result, path: read.row.path, row: read.row, best: { ...best, snippet } };
	return other === undefined ? clean : { ...clean, other };
}
