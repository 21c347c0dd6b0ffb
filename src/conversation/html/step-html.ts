import type { SessionEntry } from "../../store/format/schema.ts";
import { changeOf, MOST_UNITS } from "../blocks/change-block.ts";
import { jsonText } from "../blocks/parts.ts";
import { argumentsText, commandFacts, nestedCallsText } from "../blocks/step-text.ts";
import { fieldsOf, listOf, pathArgument, textOf } from "../entries/fields.ts";
import { outputTexts } from "../entries/output.ts";
import { shortCommand } from "../entries/place.ts";
import type { RowPart } from "../entries/row-text.ts";
import { isShell, type Step, stepDuration } from "../entries/step.ts";
import type { CallFacts } from "../entries/tool-call.ts";
import { withheldIn } from "../entries/withheld.ts";
import { languageOfPath } from "../render/code-lines.ts";
import { codeHtml, diffHtml, outputHtml, textHtml } from "./code-html.ts";
import { escaped, type Html, joined, markup, NOTHING, shown } from "./html-text.ts";
import { foldHtml, imageHtml, type PageContext } from "./page-parts.ts";

/** Lines of a change that is seen without being unfolded. */
const FEW_LINES = 40;
/** Characters of a step's row: the whole command is below it. */
const LONGEST_ROW = 300;

/** A step: one row, with all of it below: what was asked for, what it changed, what it said. */
export function* stepHtml(step: Step, call: CallFacts, entry: SessionEntry, context: PageContext): Generator<Html> {
	const message = fieldsOf(fieldsOf(entry).message);
	const change = changeOf(call, message);
	const isDiff = change !== undefined && change.size <= MOST_UNITS;
	const lines = isDiff ? [...change.lines(context.renderers)] : undefined;
	const images = listOf(message.content)
		.map(fieldsOf)
		.filter(({ type }) => type === "image");
	const isOpen = step.end === "failed" || images.length > 0 || (lines !== undefined && lines.length <= FEW_LINES);
	const name = step.end === "failed" ? markup`step failed` : markup`step`;
	yield* foldHtml({ name, summary: stepRow(step), isOpen }, inner());

	function* inner(): Generator<Html> {
		yield SPACE;
		yield* askedHtml(step, call, entry, context);
		if (lines !== undefined) yield* diffHtml(lines, languageOfPath(pathArgument(call.args)), context.renderers);
		else if (change !== undefined) yield* codeHtml(change.text, undefined, context.renderers);
		if (change === undefined || step.end !== "ok") yield* saidHtml(step, call, entry, context);
		for (const image of images) yield* imageHtml(image);
		for (const { long } of withheldIn(message)) yield markup`<p class="note t-warning">${shown(long)}</p>`;
		const nested = nestedCallsText(fieldsOf(message.nestedCalls), context.place);
		yield* textHtml(nested, markup`muted mono`);
	}
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
	if (parts.length === 0) return NOTHING;
	const said = parts.map(({ text, tone }) => markup`<span class="t-${escaped(tone)}">${shown(text)}</span>`);
	return markup` <span class="came">${joined(said, SPACE)}</span>`;
}

function* askedHtml(step: Step, call: CallFacts, entry: SessionEntry, { place }: PageContext): Generator<Html> {
	const message = fieldsOf(fieldsOf(entry).message);
	const command = message.role === "bashExecution" ? textOf(message.command) : textOf(call.args.command);
	if (isShell(step))
		yield markup`<pre class="cmd">${shown(`${step.verb} ${shortCommand(command, place).trimEnd()}`)}</pre>`;
	// A command of the person has no other arguments.
	if (message.role !== "bashExecution") yield* textHtml(argumentsText(call, step), markup`muted mono`);
}

function* saidHtml(step: Step, call: CallFacts, entry: SessionEntry, { renderers }: PageContext): Generator<Html> {
	const message = fieldsOf(fieldsOf(entry).message);
	if (message.role === "bashExecution") {
		const output = textOf(message.output);
		if (output.trim() !== "") yield* outputHtml(output);
		yield* textHtml(commandFacts(message), markup`muted`);
		return;
	}
	if (call.name === "codemode") yield* codeHtml(textOf(call.args.code), "js", renderers);
	const texts = outputTexts(message.content).filter((text) => /\S/.test(text));
	for (const text of texts) {
		if (call.name === "read" && step.end === "ok")
			yield* codeHtml(text, languageOfPath(pathArgument(call.args)), renderers);
		else yield* outputHtml(text, step.end === "failed" && !isShell(step));
	}
	const others = listOf(message.content).filter((block) => !["text", "image"].includes(textOf(fieldsOf(block).type)));
	for (const other of others) yield* codeHtml(jsonText(other), "json", renderers);
	if (texts.length + listOf(message.content).length === 0) yield markup`<p class="note">(no output)</p>`;
}
