import { type Html, markup, NOTHING } from "./html-text.ts";

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
		if (isEmpty && piece !== NOTHING) {
			yield markup`<details class="${name}"${isOpen ? OPEN : NOTHING}><summary>${summary}</summary><div class="in">`;
			isEmpty = false;
		}
		yield piece;
	}
	if (!isEmpty) yield markup`</div></details>`;
}

const OPEN = markup` open`;
