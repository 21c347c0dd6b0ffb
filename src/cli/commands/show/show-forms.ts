import { formatCount } from "../../../ui/text/format.ts";
import type { Given } from "../../arguments/given.ts";
import { enumerate } from "../../print/output.ts";

type Option = Exclude<keyof Given, "words">;

/** The forms in which a session is shown, each named by its option, with the options that apply to it. */
const FORMS: readonly (readonly [form: Option, with_: readonly Option[]])[] = [
	["json", ["all", "branch", "turn", "entry", "masked"]],
	["markdown", ["all", "branch", "turn", "entry", "maxChars", "masked", "json"]],
	["tree", ["all", "width", "masked"]],
	["html", ["all", "allow"]],
	["runs", ["json", "header"]],
];
/** The options of the default form: text as the reader draws it. */
const DRAWN: readonly Option[] = ["all", "branch", "turn", "entry", "full", "width", "maxChars", "masked"];
/** Options that apply to one other form only. */
const ELSEWHERE: readonly Option[] = ["allow", "header"];
/** The options that choose what is shown; they exclude each other. */
const SCOPES: readonly Option[] = ["all", "branch", "turn", "entry"];

/** More than any terminal has: rows with a background are padded to the full width. */
const MOST_COLUMNS = 1000;

/** Which options of `show` contradict each other, as a sentence; undefined if none do. */
export function checkForm(given: Given): string | undefined {
	const has = (option: Option): boolean => given[option] !== undefined;
	// --markdown --json is Markdown in a JSON object that says where it was cut.
	const forms = FORMS.filter(([form]) => has(form) && !(form === "json" && (has("markdown") || has("runs"))));
	const [first] = forms;
	const scopes = SCOPES.filter(has);
	const clash = forms.length > 1 ? forms.map(([form]) => form) : scopes.length > 1 ? scopes : undefined;
	if (clash !== undefined) return `show takes one of ${enumerate(clash.map(flag))}`;
	const [form, fitting] = first ?? (["", DRAWN] as const);
	if ((given.width ?? 0) > MOST_COLUMNS) return `--width takes at most ${formatCount(MOST_COLUMNS)} columns`;
	const odd = [...DRAWN, ...ELSEWHERE].find((option) => has(option) && !fitting.includes(option));
	if (form === "markdown" && has("json") && !has("maxChars")) return "--markdown --json needs --max-chars";
	if (odd === undefined) return undefined;
	if (form !== "") return `${flag(odd)} means nothing with ${flag(form)}`;
	return `${flag(odd)} is for --${odd === "header" ? "runs" : "html"}`;
}

function flag(option: Option): string {
	return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
