import { printJson } from "../../shared/json.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { nestedCallsText } from "../blocks/step-text.ts";
import { eachField, type Fields, fieldsOf, listOf, pathArgument, textOf } from "../entries/fields.ts";
import { outputTexts } from "../entries/output.ts";
import { type Place, shortCommand } from "../entries/place.ts";
import { type Step, stepDuration } from "../entries/step.ts";
import { callOf } from "../entries/tool-call.ts";
import { fenced, inlineCode, languageOf, withheldMarkdown } from "./markdown-parts.ts";
import { plainLine } from "./plain-text.ts";

/** A step as Markdown: what was done, its outcome, its output, and the calls that its tool made to others. */
export function* stepMarkdown(step: Step, entry: SessionEntry, session: Session, place: Place): Generator<string> {
	const message = fieldsOf(fieldsOf(entry).message);
	if (message.role === "bashExecution")
		return yield* shell(step, textOf(message.command), [textOf(message.output)], place);
	yield* calledMarkdown(step, entry, session, place);
	yield* withheldMarkdown(message);
	const nested = nestedCallsText(fieldsOf(message.nestedCalls), place);
	if (nested !== "") yield* fenced("", nested);
}

function* calledMarkdown(step: Step, entry: SessionEntry, session: Session, place: Place): Generator<string> {
	const message = fieldsOf(fieldsOf(entry).message);
	const args = callOf(entry, session)?.args ?? {};
	const outputs = outputTexts(message.content);
	switch (step.name) {
		case "bash":
		case "powershell":
			return yield* shell(step, textOf(args.command), outputs, place);
		case "edit":
			yield heading(step);
			yield* edited(args, message);
			break;
		case "write":
			yield heading(step);
			yield* fenced(languageOf(pathArgument(args)), textOf(args.content));
			break;
		case "read":
			yield heading(step);
			return yield* outputFences(outputs, languageOf(pathArgument(args)));
		default:
			yield heading(step);
			yield* otherArguments(step.name, args);
			return yield* outputFences(outputs);
	}
	if (step.end !== "ok") yield* outputFences(outputs);
}

/** "**edit** `src/a.ts` · +2 −1" */
function heading(step: Step): string {
	const argument = inlineCode(step.argument);
	return `**${plainLine(step.verb)}**${argument === "" ? "" : ` ${argument}`}${outcome(step)}\n\n`;
}

/** " · +2 −1 4.1s" */
function outcome(step: Step): string {
	const parts = [...step.outcome.map(({ text }) => text), stepDuration(step)].filter((part) => part !== "");
	return parts.length === 0 ? "" : ` · ${parts.join(" ")}`;
}

function* shell(step: Step, command: string, outputs: readonly string[], place: Place): Generator<string> {
	const isPerson = step.verb.startsWith("!");
	const input = command === "" ? "" : `${isPerson ? "$" : step.verb} ${shortCommand(command, place)}`;
	const who = isPerson ? `**${step.verb}** ` : "";
	if (who !== "" || step.outcome.length > 0) yield `${who}${outcome(step).replace(/^ · /, "")}\n\n`.trimStart();
	yield* fenced("console", input, ...outputs);
}

function* edited(args: Fields, message: Fields): Generator<string> {
	const diff = textOf(fieldsOf(message.details).diff);
	if (diff !== "") return yield* fenced("diff", diff);
	for (const edit of Array.isArray(args.edits) ? listOf(args.edits) : [args]) {
		const { oldText, newText } = fieldsOf(edit);
		const lines = [signed("-", textOf(oldText)), signed("+", textOf(newText))].filter((text) => text !== "");
		if (lines.length > 0) yield* fenced("diff", lines.join("\n"));
	}
}

function signed(sign: string, text: string): string {
	return text === "" ? "" : `${sign}${text.replaceAll("\n", `\n${sign}`)}`;
}

/** Tools of pi whose heading has all their arguments. */
const ARGUMENTS_IN_HEADING: ReadonlySet<string> = new Set(["grep", "find", "ls"]);

function* otherArguments(name: string, args: Fields): Generator<string> {
	if (ARGUMENTS_IN_HEADING.has(name) || eachField(args).next().done) return;
	const code = textOf(args.code);
	if (name === "codemode" && code !== "") yield* fenced("js", code);
	else yield* fenced("json", printJson(args, { indent: 2 }));
}

function* outputFences(outputs: readonly string[], language = ""): Generator<string> {
	for (const output of outputs) if (/\S/.test(output)) yield* fenced(language, output);
}
