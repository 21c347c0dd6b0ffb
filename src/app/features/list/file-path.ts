import type { SessionRow } from "../../../catalog/model/row.ts";
import { fileName } from "../../../conversation/entries/session-title.ts";
import { shortenHome } from "../../../ui/text/format.ts";
import { type CleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutText, textWidth } from "../../../ui/text/width.ts";

/** "2026-11-19T05-20-00-000Z_019a…-….jsonl", as pi names its files. */
const NAME = /^(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)-\d{3}Z_([^.]{8})[^.]*\.jsonl$/;

/** As much of the path of a session's file as tells it from others: all of it, without the root, its name, its time and id. */
export function usefulPath({ path }: SessionRow, home: string, root: string | undefined, width: number): CleanText {
	const name = fileName(path);
	const within = root !== undefined && path.startsWith(root) ? path.slice(root.length).replace(/^[/\\]/, "") : name;
	const short = name.replace(NAME, (_all, time: string, id: string) => `${time}_${id}…`);
	const forms = [shortenHome(path, home), within, name, short].map((form) => sanitizeLine(form));
	return forms.find((form) => textWidth(form) <= width) ?? cutText(forms.at(-1) ?? sanitizeLine(name), width);
}
