import { attempt } from "../shared/attempt.ts";

/** What `sed` would do, as far as its words say. */
export interface SedCommand {
	/** The files, at which of the arguments. */
	readonly files: readonly number[];
	/** Whether it changes them, and what is put behind the name of what was there; undefined: it only prints. */
	readonly suffix: string | undefined;
	/** Makes the new text of a file; undefined: what the scripts do to one is not computed. */
	readonly apply: ((text: string) => string) | undefined;
}

/** Reads the arguments of `sed`; undefined: it may write other files, or run programs. */
export function readSed(args: readonly string[]): SedCommand | undefined {
	const scripts: string[] = [];
	const words: number[] = [];
	let suffix: string | undefined;
	let flags = "";
	for (let at = 0; at < args.length; at++) {
		const arg = args[at] ?? "";
		const inPlace = /^(?:-([nErsuz]*)i|--in-place(?:=|$))(.*)$/.exec(arg);
		const script = /^-([nErsuz]*)e(.*)$/.exec(arg);
		flags += inPlace?.[1] ?? script?.[1] ?? /^-([nErsuz]+)$/.exec(arg)?.[1] ?? "";
		if (inPlace !== null) suffix = inPlace[2] ?? "";
		else if (script !== null) scripts.push(script[2] === "" ? (args[++at] ?? "") : (script[2] ?? ""));
		else if (!arg.startsWith("-")) words.push(at);
		else if (!/^-[nErsuz]+$/.test(arg)) return undefined;
	}
	// The suffix of sed on a Mac, which is a word of its own: elsewhere it is an empty script, and the next word a file.
	const isMac = suffix === "" && args[words[0] ?? -1] === "";
	const files = isMac ? words.slice(1) : words;
	if (scripts.length === 0) scripts.push(args[files.shift() ?? -1] ?? "");
	const lists = scripts.map(commandsOf);
	if (/[*/]/.test(suffix ?? "") || lists.some((list) => list === undefined)) return undefined;
	const isExtended = /[Er]/.test(flags);
	const steps = lists.flatMap((list) => list ?? []).map((command) => stepOf(command, isExtended, isMac));
	const computed = steps.flatMap((step) => step ?? []);
	const isComputed = computed.length === steps.length && !flags.includes("z");
	const isQuiet = flags.includes("n");
	return { files, suffix, apply: isComputed ? (text) => edited(text, computed, isQuiet) : undefined };
}

/**
 * A pattern of sed until the delimiter; brackets that hold the delimiter, or a bracket, are not understood. Scripts of sessions may be
 * anything: here and below, no text may be read in two ways, which would take time without end.
 */
const patternUntil = (end: string): string =>
	String.raw`(?:\\.|[^\\\n[${end}]|\[(?:\^\]|\^(?!\])|\]|(?![\^\]]))(?:\[:\w+:\]|[^\]\\\n[${end}])*\])*${end}`;
const ADDRESS = String.raw`(?:\d+|\$|\/${patternUntil("/")}I?)`;
const ADDRESSES = String.raw`\s*(?:(${ADDRESS})(?:\s*,\s*(\+?${ADDRESS}))?\s*)?((?:!\s*)?)`;
const SUBSTITUTIONS = [..."/|#,@:%~_"]
	.map((delimiter) => `\\${delimiter}`)
	.map((end) => String.raw`s${end}${patternUntil(end)}(?:\\[\s\S]|[^\\\n${end}])*${end}[gpIimM\d]*`)
	.join("|");
/** A command of sed that prints, deletes, replaces or adds lines, or the end: others may write files, or run programs. */
const PLAIN_COMMAND = new RegExp(
	String.raw`\s*$|${ADDRESSES}(?:([pdq=]|${SUBSTITUTIONS})\s*(?:[;\n]|$)|([aic](?:\\[\s\S]|[^\\\n])*)(?:\n|$))`,
	"y",
);

interface Command {
	readonly from: string | undefined;
	readonly to: string | undefined;
	readonly isNegated: boolean;
	/** The letter of the command, and what belongs to it. */
	readonly source: string;
}

function commandsOf(script: string): readonly Command[] | undefined {
	const commands: Command[] = [];
	if (!/\S/.test(script)) return undefined;
	for (PLAIN_COMMAND.lastIndex = 0; PLAIN_COMMAND.lastIndex < script.length; ) {
		const match = PLAIN_COMMAND.exec(script);
		if (match === null) return undefined;
		const [, from, to, negation = "", plain, adding] = match;
		const source = plain ?? adding;
		if (source !== undefined) commands.push({ from, to, isNegated: negation !== "", source });
	}
	return commands;
}

/** The text that is worked on, and what is put around it. */
interface Cycle {
	readonly before: string[];
	readonly after: string[];
	readonly printed: string[];
	line: string;
	isDeleted: boolean;
}

/** A command with its state, made anew for each file. */
type Step = () => (cycle: Cycle, number: number, isLast: boolean) => void;

function stepOf({ from, to, isNegated, source }: Command, isExtended: boolean, isMac: boolean): Step | undefined {
	const start = from === undefined ? undefined : matcherOf(from, isExtended, isMac);
	const end = to === undefined ? undefined : matcherOf(to.replace(/^\+/, ""), isExtended, isMac);
	const act = actionOf(source, isExtended, isMac);
	if (act === undefined || (from && !start) || (to && !end) || from === "0" || to?.startsWith("+/")) return undefined;
	// What `c` prints for a range depends on its end.
	if (source.startsWith("c") && (to !== undefined || isNegated)) return undefined;
	return () => {
		/** The line with which the range ends, once it began; 0: that which matches. */
		let last: number | undefined;
		const isIn = (cycle: Cycle, number: number, isLast: boolean): boolean => {
			if (start === undefined) return true;
			if (end === undefined) return start(cycle.line, number, isLast);
			if (last === undefined) {
				if (!start(cycle.line, number, isLast)) return false;
				const count = /^\+?\d+$/.test(to ?? "") ? Number(to) + (to?.startsWith("+") ? number : 0) : 0;
				if (count === 0 ? !isLast : count > number) last = count;
			} else if (last === 0 ? end(cycle.line, number, isLast) : number >= last) {
				const isBehind = last !== 0 && number > last;
				last = undefined;
				return isBehind ? start(cycle.line, number, isLast) : true;
			}
			return true;
		};
		return (cycle, number, isLast) => {
			if (isIn(cycle, number, isLast) !== isNegated) act(cycle);
		};
	};
}

function matcherOf(address: string, isExtended: boolean, isMac: boolean) {
	if (address === "$") return (_line: string, _number: number, isLast: boolean): boolean => isLast;
	if (/^\d+$/.test(address)) return (_line: string, number: number): boolean => number === Number(address);
	const pattern = patternOf(address.slice(1, address.lastIndexOf("/")), "/", isExtended, isMac);
	const regExp = pattern === undefined ? undefined : new RegExp(pattern, address.endsWith("I") ? "iu" : "u");
	return regExp ? (line: string): boolean => regExp.test(line) : undefined;
}

function actionOf(source: string, isExtended: boolean, isMac: boolean): ((cycle: Cycle) => void) | undefined {
	const letter = source[0];
	if (letter === "d") {
		return (cycle) => {
			cycle.isDeleted = true;
		};
	}
	if (letter === "p") return (cycle) => void cycle.printed.push(cycle.line);
	if (letter === "s") return substitutionOf(source, isExtended, isMac);
	const text = /^[aic](?:\\\n?|[ \t]*)([\s\S]*)$/.exec(source)?.[1];
	// A backslash in it may mean more, and on a Mac its text is on a line of its own.
	if (!/^[aic]$/.test(letter ?? "") || text === undefined || /^$|[\\]/.test(text) || isMac) return undefined;
	return (cycle) => {
		if (letter === "a") cycle.after.push(text);
		else cycle.before.push(text);
		if (letter === "c") cycle.isDeleted = true;
	};
}

function substitutionOf(source: string, isExtended: boolean, isMac: boolean): ((cycle: Cycle) => void) | undefined {
	const end = source[1] ?? "";
	const until = new RegExp(`s\\${end}(${patternUntil(`\\${end}`)})((?:\\\\[\\s\\S]|[^\\\\\\n\\${end}])*)\\${end}(.*)$`);
	const [, typed = "", replacement = "", flags = ""] = until.exec(source) ?? [];
	const pattern = patternOf(typed.slice(0, -1), end, isExtended, isMac);
	if (pattern === undefined || !/^[gI]*$/i.test(flags) || (isMac && /\\[^\d&\n\\/|]/.test(replacement)))
		return undefined;
	const regExp = new RegExp(pattern, `u${flags.includes("g") ? "g" : ""}${/i/i.test(flags) ? "i" : ""}`);
	const parts = replacement.match(/\\[\s\S]|[^\\]/g) ?? [];
	const groupCount = new RegExp(`${pattern}|`, "u").exec("")?.length ?? 1;
	const isKnown = parts.every((part) => !/^\\[^\d&\\nt\n.,:;/|#@%~_"'=<>()[\]{}*+?!$^ -]/.test(part));
	const isCounted = parts.every((part) => !/^\\\d$/.test(part) || Number(part[1]) < groupCount);
	if (!isKnown || !isCounted || (flags.includes("g") && regExp.test(""))) return undefined;
	regExp.lastIndex = 0;
	return (cycle) => {
		cycle.line = cycle.line.replace(regExp, (...groups: readonly unknown[]) =>
			parts
				.map((part) => {
					if (part === "&" || part === "\\0") return String(groups[0]);
					if (/^\\\d$/.test(part)) return String(groups[Number(part[1])] ?? "");
					return part === "\\n" ? "\n" : part === "\\t" ? "\t" : part.replace(/^\\/, "");
				})
				.join(""),
		);
	};
}

const CLASSES: ReadonlyMap<string, string> = new Map([
	["[:space:]", " \\t\\r\\n\\v\\f"],
	["[:blank:]", " \\t"],
	["[:digit:]", "0-9"],
	["[:alpha:]", "A-Za-z"],
	["[:alnum:]", "A-Za-z0-9"],
	["[:upper:]", "A-Z"],
	["[:lower:]", "a-z"],
]);
const ESCAPES: ReadonlyMap<string, string> = new Map([
	["w", "[A-Za-z0-9_]"],
	["W", "[^A-Za-z0-9_]"],
	["s", "[ \\t\\r\\n\\v\\f]"],
	["S", "[^ \\t\\r\\n\\v\\f]"],
	["b", "\\b"],
	["<", "\\b(?=[A-Za-z0-9_])"],
	[">", "\\b(?<=[A-Za-z0-9_])"],
	["n", "\\n"],
	["t", "\\t"],
]);
const PIECE = /\\[\s\S]|\[\^?\]?(?:\[:\w+:\]|[^\]])*\]|[\s\S]/g;

/**
 * The same pattern for JavaScript; undefined if it has something that is not taken over. Alternatives and repeated groups are not: which
 * text they match is decided otherwise there.
 */
function patternOf(typed: string, delimiter: string, isExtended: boolean, isMac: boolean): string | undefined {
	const pieces = typed.match(PIECE) ?? [];
	let pattern = "";
	for (const [at, piece] of pieces.entries()) {
		const char = piece.at(-1) ?? "";
		const isEscaped = piece.startsWith("\\");
		const isFirst = at === 0 || pattern.endsWith("(") || pattern === "^";
		const isSpecial = /[(){}+?|]/.test(char) && isEscaped !== isExtended;
		if (piece.length > 1 && !isEscaped) {
			const body = piece.slice(1, -1).replace(/^\^/, "");
			if (/\\(?![nt])/.test(body) || /\[:(?!\w+:\])|\[[=.]/.test(body)) return undefined;
			const classes = body.replace(
				/\[:\w+:\]|[[\]]/g,
				(part) => CLASSES.get(part) ?? (part.length > 1 ? "\n" : `\\${part}`),
			);
			if (classes.includes("\n") || body === "") return undefined;
			pattern += `[${piece[1] === "^" ? "^" : ""}${classes.replace(/[\^&](?!$)|\^$/g, (part) => (part === "^" ? "\\^" : part))}]`;
		} else if (isEscaped && char === delimiter && /[(){}+?|.*^$]/.test(char)) return undefined;
		else if (isSpecial) {
			if (char === "|" || (isMac && !isExtended && /[+?]/.test(char))) return undefined;
			if (/[*+?{]/.test(char) && (isFirst || /[)*+?}]$/.test(pattern.replace(/\\./g, "")))) return undefined;
			pattern += char;
		} else if (isEscaped && /\w|[<>]/.test(char)) {
			const meaning = /[1-9]/.test(char) ? undefined : ESCAPES.get(char);
			if (meaning === undefined || (isMac && char !== "n")) return undefined;
			pattern += meaning;
		} else if (piece === "*" && !isFirst) {
			if (/[)*+?}]$/.test(pattern.replace(/\\./g, ""))) return undefined;
			pattern += "*";
		} else if (piece === "*" && isExtended) return undefined;
		else if (piece === "^" && at !== 0 && (isExtended || isFirst)) return undefined;
		else if (piece === "$" && at < pieces.length - 1 && (isExtended || pieces[at + 1] === "\\)")) return undefined;
		else if (piece === "^" && at === 0) pattern += "^";
		else if (piece === "$" && at === pieces.length - 1) pattern += "$";
		else if (piece === ".") pattern += "[^\\n]";
		else pattern += /[\\^$.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char;
	}
	return pattern !== "" && attempt(() => new RegExp(pattern, "u")) ? pattern : undefined;
}

/** The text of a file with each command done to each line. Only the last line may have no line end. */
function edited(text: string, steps: readonly Step[], isQuiet: boolean): string {
	const lines = text.split("\n");
	const isEnded = lines.at(-1) === "";
	if (isEnded) lines.pop();
	const commands = steps.map((step) => step());
	let result = "";
	const print = (line: string, isOpen: boolean): void => {
		const separator = result === "" || result.endsWith("\n") ? "" : "\n";
		result += `${separator}${line}${isOpen ? "" : "\n"}`;
	};
	for (const [index, line] of lines.entries()) {
		const isLast = index === lines.length - 1;
		const cycle: Cycle = { before: [], after: [], printed: [], line, isDeleted: false };
		for (const command of commands) {
			if (cycle.isDeleted) break;
			command(cycle, index + 1, isLast);
			for (const added of cycle.before.splice(0)) print(added, false);
			for (const line of cycle.printed.splice(0)) print(line, isLast && !isEnded);
		}
		if (!cycle.isDeleted && !isQuiet) print(cycle.line, isLast && !isEnded);
		for (const added of cycle.after) print(added, false);
	}
	return result;
}
