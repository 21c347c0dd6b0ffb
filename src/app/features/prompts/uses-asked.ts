import type { UsesRequest } from "../../../catalog/uses/uses-client.ts";
import type { AskedUses } from "./uses-state.ts";

/** Characters of a text for its row and the pane beside it; of each of very many, those of its row. */
const TEXT_CHARS = 2000;
const ROW_CHARS = 200;
const MANY = 3000;

/** What the page asks of the catalog. `now`: Unix ms. */
export function usesAsked({ kind, parsed, limit, opened, files }: AskedUses, anew: boolean, now: number): UsesRequest {
	const { query, dates } = parsed;
	const limits = { limit, usesLimit: 1, textLimit: limit > MANY ? ROW_CHARS : TEXT_CHARS, opened: [...opened] };
	return { search: { kind, query, dates, now, ...limits }, files, reread: anew };
}
