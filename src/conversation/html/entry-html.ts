import { timeOf } from "../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { tokensFrom } from "../../store/format/usage.ts";
import { formatClock, formatDayTime, formatDuration, formatTokens } from "../../ui/text/format.ts";
import { jsonText } from "../blocks/parts.ts";
import { entryKind, type StopMark, stopMark } from "../entries/entry-kind.ts";
import {
	blocksIn,
	eachField,
	type Fields,
	fieldsBesides,
	fieldsOf,
	listOf,
	numberOf,
	textOf,
} from "../entries/fields.ts";
import { describeRow } from "../entries/row.ts";
import { rowText } from "../entries/row-text.ts";
import { openCalls, stepOf } from "../entries/step.ts";
import { systemText } from "../entries/system-text.ts";
import { callOf } from "../entries/tool-call.ts";
import { priceWords, usageWords } from "../entries/usage-words.ts";
import { withheldIn } from "../entries/withheld.ts";
import { codeHtml, textHtml } from "./code-html.ts";
import { escaped, type Html, joined, markup, NOTHING, shown } from "./html-text.ts";
import { markdownHtml } from "./markdown-html.ts";
import { anchorOf, foldHtml, imageHtml, type PageContext } from "./page-parts.ts";
import { stepHtml } from "./step-html.ts";

/** All of an entry. */
export function* entryHtml(entry: SessionEntry, context: PageContext): Generator<Html> {
	const kind = entryKind(entry);
	yield markup`<article class="entry ${escaped(kind)}" id="${anchorOf(entry, context)}">`;
	const label = context.session.tree.labels.get(entry.id);
	if (label !== undefined) yield markup`<p class="label">⚑ ${shown(label.text)}</p>`;
	yield* ownHtml(entry, context);
	yield markup`</article>
`;
}

function* ownHtml(entry: SessionEntry, context: PageContext): Generator<Html> {
	const fields = fieldsOf(entry);
	const message = entry.type === "message" ? fieldsOf(fields.message) : fields;
	const step = stepOf(entry, context.session, context.place);
	if (step !== undefined) {
		return yield* stepHtml(step, callOf(entry, context.session) ?? { name: step.name, args: {} }, entry, context);
	}
	switch (entryKind(entry)) {
		case "prompt":
			yield headHtml(markup`You`, NOTHING, entry, context);
			return yield* promptHtml(message.content);
		case "answer":
			yield headHtml(shown(rowText(message.model) || "Model"), answerFacts(message), entry, context);
			return yield* answerHtml(entry, message, context);
		case "calls":
			return yield* answerHtml(entry, message, context);
		case "message":
			yield headHtml(shown(rowText(message.customType) || "extension"), NOTHING, entry, context);
			yield* contentHtml(message.content, context);
			return yield* dataHtml("details", message.details, context);
		case "system":
			return yield* systemHtml(message, context);
		case "compaction":
		case "branch-summary":
			return yield* summaryHtml(entry, context);
		case "unknown":
			yield ruleHtml(entry, context);
			if (entry.type === "message") yield* contentHtml(message.content, context);
			return yield* dataHtml("fields", fieldsBesides(KNOWN, entry.type === "message" ? message : fields), context);
		default:
			yield ruleHtml(entry, context);
			yield* dataHtml("data", fields.data, context);
	}
}

const KNOWN: ReadonlySet<string> = new Set(["type", "id", "parentId", "timestamp", "role", "content"]);

/** Who speaks, what is known of it, and when; the time leads to the entry, for a link to it. */
function headHtml(who: Html, facts: Html, entry: SessionEntry, context: PageContext): Html {
	const apart = facts === NOTHING ? NOTHING : markup` <span class="facts">${facts}</span>`;
	return markup`<header><span class="who">${who}</span>${apart} ${timeHtml(entry, context)}</header>`;
}

function timeHtml(entry: SessionEntry, context: PageContext): Html {
	const time = timeOf(entry.timestamp);
	const words = formatDayTime(time);
	const iso = words === "" ? "" : new Date(time).toISOString();
	// The day stands at the prompts.
	const short = entryKind(entry) === "prompt" ? words : formatClock(time);
	return markup`<a class="at" href="#${anchorOf(entry, context)}" title="${escaped(`${words} · entry ${entry.id}`)}"><time datetime="${escaped(iso)}">${escaped(short || "#")}</time></a>`;
}

function answerFacts(message: Fields): Html {
	const tokens = tokensFrom(fieldsOf(message.usage).output);
	const ms = numberOf(message.durationMs);
	const level = rowText(message.thinkingLevel);
	const said = [
		level === "" || level === "off" ? "" : `thinking ${level}`,
		ms === undefined ? "" : formatDuration(ms),
		tokens === 0 ? "" : formatTokens(tokens),
		priceWords(message.usage),
	];
	return shown(said.filter((part) => part !== "").join(" · "));
}

/** What a person has typed, as it is, with its images. */
function* promptHtml(content: unknown): Generator<Html> {
	const blocks = blocksIn(content);
	if (blocks.length === 0) yield markup`<p class="note">(empty)</p>`;
	for (const block of blocks) {
		if (block.type === "image") yield* imageHtml(block);
		else yield* textHtml(block.type === "text" ? textOf(block.text) : jsonText(block), NOTHING);
	}
}

function* contentHtml(content: unknown, context: PageContext): Generator<Html> {
	for (const block of blocksIn(content)) {
		if (block.type === "text") yield* markdownHtml(textOf(block.text), context.renderers);
		else if (block.type === "image") yield* imageHtml(block);
		else if (block.type === "thinking") yield* thoughtHtml(block, context);
		else if (block.type !== "toolCall") yield* codeHtml(jsonText(block), "json", context.renderers);
		else if (textOf(block.argumentsError) !== "")
			yield markup`<p class="t-error">arguments that are not a JSON object: ${shown(textOf(block.argumentsError))}</p>`;
	}
}

/** Characters of a thought in its row. */
const FIRST_WORDS = 200;

function* thoughtHtml({ thinking }: Fields, { renderers }: PageContext): Generator<Html> {
	const text = textOf(thinking).trim();
	if (text === "") {
		yield markup`<p class="note">thought (withheld by the provider)</p>`;
		return;
	}
	const first = text.slice(0, FIRST_WORDS).replace(/\s+/g, " ");
	const summary = markup`<span class="verb">thought</span> <span class="arg">${shown(first)}</span>`;
	yield* foldHtml({ name: markup`thought`, summary }, markdownHtml(text, renderers));
}

function* answerHtml(entry: SessionEntry, message: Fields, context: PageContext): Generator<Html> {
	const stop = stopMark(message);
	// As in the reader: a reason first, the rest where the answer breaks off.
	if (stop?.tone === "error") yield stopHtml(stop, message);
	yield* contentHtml(message.content, context);
	for (const { step, call } of openCalls(entry, context.session, context.place))
		yield* stepHtml(step, call, entry, context);
	for (const { long } of withheldIn(message)) yield markup`<p class="note t-warning">${shown(long)}</p>`;
	if (stop !== undefined && stop.tone !== "error") yield stopHtml(stop, message);
}

/** Why an answer is not whole. */
function stopHtml(stop: StopMark, message: Fields): Html {
	const error = textOf(message.errorMessage);
	const sign = stop.tone === "error" ? markup`✗ ` : NOTHING;
	return markup`<p class="stop t-${escaped(stop.tone)}">${sign}${shown(stop.long)}${shown(error === "" ? "" : `: ${error}`)}</p>`;
}

function* systemHtml(message: Fields, context: PageContext): Generator<Html> {
	const summary = markup`<span class="verb">system prompt</span> <span class="arg">${shown(systemText(message))}</span>`;
	yield* foldHtml({ name: markup`thought`, summary }, inner());

	function* inner(): Generator<Html> {
		yield* contentHtml(message.content, context);
		for (const [name, text] of eachField(message.sections)) {
			yield markup`<h4>${shown(rowText(name))}</h4>`;
			yield* textHtml(typeof text === "string" ? text : "(removed)", markup`mono`);
		}
		for (const tool of [...listOf(message.toolsAdded), ...listOf(message.toolsRemoved)].map(fieldsOf)) {
			const title = markup`<span class="verb">tool ${shown(rowText(tool.name))}</span>`;
			yield* foldHtml({ name: markup`thought`, summary: title }, toolHtml(tool, context));
		}
	}
}

function* toolHtml(tool: Fields, { renderers }: PageContext): Generator<Html> {
	yield* textHtml(textOf(tool.description), NOTHING);
	const parameters = jsonText(tool.parameters);
	if (parameters !== "") yield* codeHtml(parameters, "json", renderers);
}

function* summaryHtml(entry: SessionEntry, context: PageContext): Generator<Html> {
	yield ruleHtml(entry, context, true);
	const fields = fieldsOf(entry);
	const summary = textOf(fields.summary) || textOf(fieldsOf(fields.message).summary);
	yield* markdownHtml(summary, context.renderers);
	yield* dataHtml("details", fields.details, context);
	if (fields.systemMessage !== undefined) yield* systemHtml(fieldsOf(fields.systemMessage), context);
}

/** What changes from here on, or was noted, between two lines; of a summary only that it is one: its text follows. */
function ruleHtml(entry: SessionEntry, context: PageContext, isSummary = false): Html {
	const { verb, text, outcome } = describeRow(entry, context.session, context.place);
	const words = [
		verb?.text ?? "",
		isSummary ? "" : text,
		...outcome.map((part) => part.text),
		...usageWords(fieldsOf(entry).usage),
	];
	const said = joined(words.filter((word) => word !== "").map(shown), markup` `);
	return markup`<div class="rule"><span>${said}</span> ${timeHtml(entry, context)}</div>`;
}

/** What an extension keeps, or what we do not know, folded. */
function* dataHtml(name: string, data: unknown, { renderers }: PageContext): Generator<Html> {
	const json = jsonText(data);
	if (json === "" || json === "{}") return;
	const summary = markup`<span class="verb">${escaped(name)}</span>`;
	yield* foldHtml({ name: markup`thought`, summary }, codeHtml(json, "json", renderers));
}
