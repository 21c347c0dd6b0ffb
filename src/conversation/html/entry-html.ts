import { fieldsOf } from "../../store/format/fields.ts";
import { timeOf } from "../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { tokensFrom } from "../../store/format/usage.ts";
import { formatClock, formatCount, formatDayTime, formatTokens } from "../../ui/text/format.ts";
import type { BlockOf, EntryBlock } from "../blocks/block.ts";
import { changeBlocks, entryBlocks } from "../blocks/entry-blocks.ts";
import { entryKind } from "../entries/entry-kind.ts";
import type { RowPart } from "../entries/row-text.ts";
import { type Step, stepDuration } from "../entries/step.ts";
import { systemText } from "../entries/system-text.ts";
import { priceWords } from "../entries/usage-words.ts";
import { languageOfPath } from "../render/code-lines.ts";
import { codeHtml, diffHtml, outputHtml, textHtml } from "./code-html.ts";
import { escaped, type Html, joined, markup, NO_HTML, shown } from "./html-text.ts";
import { markdownHtml } from "./markdown-html.ts";
import { anchorOf, foldHtml, imageHtml, type PageContext } from "./page-parts.ts";

export function* entryHtml(entry: SessionEntry, context: PageContext): Generator<Html> {
	yield markup`<article class="entry ${escaped(entryKind(entry))}" id="${anchorOf(entry.id, context.session)}">`;
	const label = context.session.tree.labels.get(entry.id);
	if (label !== undefined) yield markup`<p class="label">⚑ ${shown(label.text)}</p>`;
	yield* blocksHtml(entryBlocks(entry, context), entry, context);
	yield markup`</article>
`;
}

/** What an entry has changed in files, and nothing else of it. */
export function changesHtml(entry: SessionEntry, context: PageContext): Generator<Html> {
	return blocksHtml(changeBlocks(entry, context), entry, context);
}

function* blocksHtml(blocks: Iterable<EntryBlock>, entry: SessionEntry, context: PageContext): Generator<Html> {
	for (const block of blocks) yield* blockHtml(block, entry, context);
}

function* blockHtml(block: EntryBlock, entry: SessionEntry, context: PageContext): Generator<Html> {
	const { renderers } = context;
	switch (block.type) {
		case "speaker":
			return yield speakerHtml(block, entry, context);
		case "divider":
			yield markup`<div class="rule"><span>${shown(block.text)}</span> ${timeHtml(entry, context)}</div>`;
			return yield* blocksHtml(block.below ?? [], entry, context);
		case "prose":
			if (block.of !== "prompt") return yield* markdownHtml(block.text, renderers);
			if (block.text.trim() === "") return yield markup`<p class="note">(empty)</p>`;
			// What a person has typed is shown as it is.
			return yield* textHtml(block.text, NO_HTML);
		case "text":
			return yield* textHtml(block.text, NO_HTML);
		case "thought":
			return yield* thoughtHtml(block, context);
		case "stop": {
			const sign = block.tone === "error" ? markup`✗ ` : NO_HTML;
			const error = block.error === "" ? "" : `: ${block.error}`;
			return yield markup`<p class="stop t-${escaped(block.tone)}">${sign}${shown(block.text)}${shown(error)}</p>`;
		}
		case "note":
			return yield markup`<p class="note t-${escaped(block.tone)}">${shown(block.text)}</p>`;
		case "image":
			return yield* imageHtml(block.image);
		case "json":
			if (block.title !== "") return yield* codeHtml(block.text, "json", renderers);
			return yield* foldHtml(thoughtFold(markup`fields`), codeHtml(block.text, "json", renderers));
		case "fold":
			return yield* dataHtml(block, context);
		case "system":
			return yield* foldHtml(
				thoughtFold(markup`system prompt`, shown(systemText(block.message))),
				blocksHtml(block.blocks, entry, context),
			);
		case "step":
			return yield* stepHtml(block, entry, context);
		case "command":
			return yield markup`<pre class="cmd">${shown(`${block.verb} ${block.text}`)}</pre>`;
		case "lines":
			return yield* textHtml(block.text, markup`muted mono`);
		case "change": {
			const { path, isLarge, text, lines } = block.edit;
			if (isLarge) return yield* codeHtml(text, undefined, renderers);
			return yield* diffHtml(lines(renderers), languageOfPath(path), renderers);
		}
		case "code":
			return yield* codeHtml(block.text, block.language, renderers);
		case "output":
			return yield* outputHtml(block.text, block.isFailure && block.isSentence);
	}
}

/** Who speaks, what is known of it, and when; the time leads to the entry, for a link to it. */
function speakerHtml({ of, name, facts, usage }: BlockOf<"speaker">, entry: SessionEntry, context: PageContext): Html {
	const tokens = tokensFrom(fieldsOf(usage).output);
	const turn = of === "prompt" && context.turn !== undefined ? `turn ${formatCount(context.turn)}` : "";
	const words = [turn, ...facts, tokens === 0 ? "" : formatTokens(tokens), priceWords(usage)].filter(
		(part) => part !== "",
	);
	const apart = words.length === 0 ? NO_HTML : markup` <span class="facts">${shown(words.join(" · "))}</span>`;
	const who = name || SPEAKERS[of];
	return markup`<header><span class="who">${shown(who)}</span>${apart} ${timeHtml(entry, context)}</header>`;
}

/** Those whose name is not known. */
const SPEAKERS = { prompt: "You", answer: "Model", message: "extension" } as const;

function timeHtml(entry: SessionEntry, context: PageContext): Html {
	const time = timeOf(entry.timestamp);
	const words = formatDayTime(time);
	const iso = words === "" ? "" : new Date(time).toISOString();
	// The day stands at the prompts.
	const short = entryKind(entry) === "prompt" ? words : formatClock(time);
	return markup`<a class="at" href="#${anchorOf(entry.id, context.session)}" title="${escaped(`${words} · entry ${entry.id}`)}"><time datetime="${escaped(iso)}">${escaped(short || "#")}</time></a>`;
}

/** Characters of a thought in its row. */
const FIRST_WORDS = 200;

function* thoughtHtml({ text: thought }: BlockOf<"thought">, { renderers }: PageContext): Generator<Html> {
	const text = thought.trim();
	if (text === "") {
		yield markup`<p class="note">thought (withheld by the provider)</p>`;
		return;
	}
	const first = text.slice(0, FIRST_WORDS).replace(/\s+/g, " ");
	yield* foldHtml(thoughtFold(markup`thought`, shown(first)), markdownHtml(text, renderers));
}

/** What an extension keeps, a section of a prompt, a tool. */
function* dataHtml({ title, text, isJson }: BlockOf<"fold">, { renderers }: PageContext): Generator<Html> {
	const inner = text();
	if (isJson && inner === "{}") return;
	const content = isJson ? codeHtml(inner, "json", renderers) : textHtml(inner, markup`mono`);
	yield* foldHtml(thoughtFold(shown(title)), content);
}

function thoughtFold(title: Html, words: Html = NO_HTML): Parameters<typeof foldHtml>[0] {
	const arg = words === NO_HTML ? NO_HTML : markup` <span class="arg">${words}</span>`;
	return { name: markup`thought`, summary: markup`<span class="verb">${title}</span>${arg}` };
}

/** Lines of a change that is seen without being unfolded. */
const FEW_LINES = 40;
/** Characters of a step's row: the whole command is below it. */
const LONGEST_ROW = 300;

/** A step: one row, with all of it below: what was asked for, what it changed, what it said. */
function* stepHtml({ step, blocks }: BlockOf<"step">, entry: SessionEntry, context: PageContext): Generator<Html> {
	const isFailed = step.end === "failed";
	const isOpen = isFailed || blocks.some((block) => block.type === "image" || isShortChange(block, context));
	const name = isFailed ? markup`step failed` : markup`step`;
	yield* foldHtml({ name, summary: stepRow(step), isOpen }, inner());

	function* inner(): Generator<Html> {
		yield SPACE;
		yield* blocksHtml(blocks, entry, context);
	}
}

function isShortChange(block: EntryBlock, { renderers }: PageContext): boolean {
	if (block.type !== "change" || block.edit.isLarge) return false;
	return Iterator.from(block.edit.lines(renderers)).drop(FEW_LINES).next().done === true;
}

/** What is there even where a step has said nothing. */
const SPACE = markup` `;

/** "edit src/a.ts          +9 −4  1.2s" */
export function stepRow(step: Step): Html {
	const { verb, argument } = step;
	const title = argument.length > LONGEST_ROW ? `${argument.slice(0, LONGEST_ROW)}…` : argument;
	return markup`<span class="verb">${shown(verb)}</span> <span class="arg">${shown(title.replace(/\s+/g, " "))}</span>${cameHtml(step)}`;
}

function cameHtml(step: Step): Html {
	const took = stepDuration(step);
	const parts: readonly RowPart[] = [...step.outcome, ...(took === "" ? [] : [{ text: took, tone: "muted" as const }])];
	if (parts.length === 0) return NO_HTML;
	const spans = parts.map(({ text, tone }) => markup`<span class="t-${escaped(tone)}">${shown(text)}</span>`);
	return markup` <span class="came">${joined(spans, SPACE)}</span>`;
}
