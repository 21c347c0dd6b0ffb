import { type Fields, textOf } from "../../store/format/fields.ts";
import type { Session } from "../../store/read/read-session.ts";
import { formatCost } from "../../ui/text/format.ts";
import { describeImages, imageEnding, imagePieces, imageSize } from "../entries/images.ts";
import type { Place } from "../entries/place.ts";
import { RUN_SIGN } from "../entries/run-outcome.ts";
import type { Renderers } from "../render/renderers.ts";
import { SHOWN_IMAGES } from "../share/share-items.ts";
import type { SharedRun } from "../share/shared-family.ts";
import { escaped, type Html, markup, NO_HTML, shown } from "./html-text.ts";

export interface PageContext {
	readonly session: Session;
	/** Where its paths are seen from. */
	readonly place: Place;
	readonly renderers: Renderers;
	/** The number of the turn of the entry that is drawn, for its prompt. @default not shown */
	readonly turn?: number;
	/** The runs of subagents, by the id of the entry below which they stand. @default none */
	readonly runs?: ReadonlyMap<string, readonly SharedRun[]>;
}

/** "◫ checker  Review the schema  ✗ 4.0s  $0.50": a run, with a link to its page if it has one. `name`: of the style. */
export function runHtml({ agent, task, came, cost, page }: SharedRun, name = NO_HTML): Html {
	const paid = cost > 0 ? ` ${formatCost(cost)}` : "";
	const content = markup`${escaped(RUN_SIGN)} <span class="verb">${shown(agent || "a subagent")}</span> <span class="arg">${shown(task)}</span> <span class="came">${shown(`${came}${paid}`.trim())}</span>`;
	return page === undefined
		? markup`<span class="${name}">${content}</span>`
		: markup`<a class="${name}" href="${escaped(page)}">${content}</a>`;
}

/** Ids of entries that may stand in an address as they are: those of pi, and more. */
const PLAIN_ID = /^[\w-]{1,64}$/;

/**
 * The name that an entry has in its page: its id, so that SESSION#ENTRY is an address there, too. Ids may be anything: where one has other
 * characters, it is the line of the file, which stays the same as well.
 */
export function anchorOf(id: string, { lines }: Pick<Session, "lines">): Html {
	return PLAIN_ID.test(id) ? escaped(id) : markup`line:${lines.get(id) ?? 0}`;
}

/** What is folded to one row, with a name for the style. */
interface Fold {
	readonly name: Html;
	readonly summary: Html;
	readonly isOpen?: boolean;
}

/** Something that a click, or a key, unfolds, without any script; nothing where there is nothing to be unfolded. */
export function* foldHtml({ name, summary, isOpen = false }: Fold, inner: Iterable<Html>): Generator<Html> {
	let isEmpty = true;
	for (const piece of inner) {
		if (isEmpty && piece !== NO_HTML) {
			yield markup`<details class="${name}"${isOpen ? OPEN : NO_HTML}><summary>${summary}</summary><div class="in">`;
			isEmpty = false;
		}
		yield piece;
	}
	if (!isEmpty) yield markup`</div></details>`;
}

const OPEN = markup` open`;

/** An image, in the page itself; one that no browser shows in words. */
export function* imageHtml(image: Fields): Generator<Html> {
	const data = textOf(image.data);
	const type = SHOWN_IMAGES.get(imageEnding(data) ?? "");
	const words = escaped(describeImages([image]));
	if (type === undefined) {
		yield markup`<p class="note">▣ ${words} (not shown)</p>`;
		return;
	}
	const size = imageSize(data);
	const measures = size === undefined ? NO_HTML : markup` width="${size.width}" height="${size.height}"`;
	yield markup`<figure class="image"><img alt="${words}" loading="lazy" decoding="async"${measures} src="data:${escaped(type)};base64,`;
	for (const piece of imagePieces({ base64: data })) yield escaped(piece.replaceAll("-", "+").replaceAll("_", "/"));
	yield markup`"></figure>`;
}
