import { attempt } from "../shared/attempt.ts";
import { type Call, mayChange, pathsOfWords, split } from "./command-words.ts";
import { type FileEffect, mayAny } from "./effects.ts";

const IN_PLACE = /^(?:-[nErsuz]*i|--in-place(?:=|$))/;

/** `sed` without `-i` reads, unless its script writes. With it, a plain script is carried out. */
export function sedEffects({ args, directory }: Call): readonly FileEffect[] {
	const { names, flags } = split(args);
	const inPlace = flags.find((flag) => IN_PLACE.test(flag));
	const suffix = inPlace?.replace(IN_PLACE, "") ?? "";
	// The suffix of sed on a Mac is a word of its own: elsewhere it is an empty script, and the next word a file.
	const words = inPlace !== undefined && suffix === "" && names[0]?.text === "" ? names.slice(1) : names;
	const given = args.filter((_, at) => /^-[nErsuz]*e$/.test(args[at - 1]?.text ?? ""));
	const scripts = given.length === 0 ? words.slice(0, 1) : given;
	const files = words.filter((word) => !scripts.includes(word));
	const isKnown = flags.every((flag) => IN_PLACE.test(flag) || /^-[nErsuz]*e?$/.test(flag));
	if (!isKnown || /[*/]/.test(suffix) || scripts.some(({ text }) => mayWrite(text)))
		return [mayAny(pathsOfWords(files, directory))];
	if (inPlace === undefined) return [];
	const copies = suffix === "" ? [] : files.map((file) => ({ ...file, text: `${file.text}${suffix}` }));
	const paths = pathsOfWords(files, directory);
	const isPlain = flags.every((flag) => /^-[ei]|^--/.test(flag)) && scripts.every(({ isLiteral }) => isLiteral);
	const steps = isPlain ? scripts.map(({ text }) => stepsOf(text)) : [undefined];
	const allSteps = steps.flatMap((list) => list ?? []);
	if (paths === undefined || steps.includes(undefined)) return [mayChange([...files, ...copies], directory)];
	return paths.flatMap((path): readonly FileEffect[] => [
		...(suffix === "" ? [] : [{ kind: "copy", from: path, to: `${path}${suffix}`, by: "shell" } as const]),
		{ kind: "rewrite", path, apply: (text) => edited(text, allSteps) },
	]);
}

/** Whether it has the letter of a command or flag that writes a file or runs a program, beside addresses, `s/…/…/` and texts. */
function mayWrite(script: string): boolean {
	const commandLetters = script
		.replace(/s([^\w\s])(?:\\.|(?!\1)[^\\])*\1(?:\\.|(?!\1)[^\\])*\1/gs, "")
		.replace(/\/(?:\\.|[^\\/])*\//g, "")
		.replace(/[aic][\s\\](?:\\\n|.)*/g, "");
	return /[weW]/.test(commandLetters) || !/\S/.test(script);
}

/** What a command makes of a line; undefined: it is deleted. `number`: 1-based. */
type Step = (line: string, number: number, isLast: boolean) => string | undefined;

/** `d` and `s`, for all lines, those with these numbers, or those that match. */
const COMMAND =
	/\s*(?:(?:(\d+|\$)(?:,(\d+|\$))?|\/((?:\\.|[^\\\n/])+)\/)\s*)?(?:d|s([/|#,@:])((?:\\.|(?!\4)[^\\\n])+)\4((?:\\.|(?!\4)[^\\\n])*)\4(g?))\s*(?:;|\n|$)/y;

/** Undefined if it has other commands, or patterns that are not plain. */
function stepsOf(script: string): readonly Step[] | undefined {
	const steps: Step[] = [];
	for (COMMAND.lastIndex = 0; COMMAND.lastIndex < script.length; ) {
		const match = COMMAND.exec(script);
		if (match === null) return undefined;
		const [, from, end, matched, , typed, replacement = "", flags = ""] = match;
		const act = typed === undefined ? () => undefined : substitution(typed, replacement, flags);
		const matcher = matched === undefined ? undefined : patternOf(matched, "");
		if (act === undefined || (matched && !matcher) || from === "0" || (from === "$" && end)) return undefined;
		const first = from === undefined ? 1 : Number(from);
		const last = from === undefined || end === "$" ? Number.POSITIVE_INFINITY : Math.max(first, Number(end ?? from));
		steps.push((line, number, isLast) => {
			const isNumbered = from === "$" ? isLast : number >= first && number <= last;
			return isNumbered && matcher?.test(line) !== false ? act(line) : line;
		});
	}
	return steps;
}

function substitution(typed: string, replacement: string, flags: string): ((line: string) => string) | undefined {
	const pattern = patternOf(typed, flags);
	const groupCount = typed.match(/\\\(/g)?.length ?? 0;
	const isKnown = [...replacement.matchAll(/\\([\w])/g)].every(([, group]) => Number(group) <= groupCount);
	if (pattern === undefined || !isKnown || (flags === "g" && pattern.test(""))) return undefined;
	return (line) =>
		line.replace(pattern, (...groups: readonly unknown[]) =>
			replacement.replace(/\\(.)|&/g, (part, char) => {
				const group = part === "&" ? 0 : Number(char);
				return Number.isNaN(group) ? char : String(groups[group]);
			}),
		);
}

/** A basic pattern that has nothing of what programs read in two ways: alternatives, repeated groups, `\w`, backslashes in brackets. */
const PLAIN_PATTERN = /^\^?(?:[^\\[\]*^$]|\\[.*[\]^$/(),#@:]|\[\^?[^\]\\[^]+\]|(?<=[^)^(*])\*)*\$?$/;

/** The same for JavaScript. */
function patternOf(typed: string, flags: string): RegExp | undefined {
	if (!PLAIN_PATTERN.test(typed)) return undefined;
	const pattern = typed.replace(/\\(.)|[(){}+?|/]/g, (part, escaped) => {
		if (escaped === undefined) return `\\${part}`;
		return /[(),#@:]/.test(escaped) ? escaped : part;
	});
	// What begins with anything matches from the beginning of a line, if at all: from every other place is tried in vain.
	return attempt(() => new RegExp(pattern.startsWith(".*") ? `^${pattern}` : pattern, `su${flags}`));
}

/** The text of a file with each command done to each line. Only the last line may have no line end. */
function edited(text: string, steps: readonly Step[]): string {
	const isEnded = text.endsWith("\n");
	const lines = text === "" ? [] : (isEnded ? text.slice(0, -1) : text).split("\n");
	const results = lines.map((line, index) => {
		const isLast = index === lines.length - 1;
		let result: string | undefined = line;
		for (const step of steps) result = result === undefined ? undefined : step(result, index + 1, isLast);
		return result === undefined ? "" : `${result}${isLast && !isEnded ? "" : "\n"}`;
	});
	return results.join("");
}
