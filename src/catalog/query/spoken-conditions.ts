import { IS_VALUES } from "./conditions.ts";
import { OTHER_STATES } from "./parse-query.ts";
import { spokenDate } from "./spoken-dates.ts";
import { isOr, isWord, type Token } from "./tokens.ts";

/** A condition that some words of a query name, as people say it and as the screen shows it. */
interface SpokenCondition {
	readonly token: Token;
	/** How many words it takes. */
	readonly length: number;
	/** How the words are read: "“last week” as a date". */
	readonly why: string;
}

/** The date that the words from an index on name, perhaps with the field before them ("since monday"), at `now` (Unix ms). */
export function spokenDateAt(tokens: readonly Token[], index: number, now: number): SpokenCondition | undefined {
	const end = tokens.findIndex((token, at) => at >= index && !isWord(token));
	const words = tokens.slice(index, end === -1 ? undefined : end).map(({ value }) => value);
	const named = DATE_FIELDS.get(words[0]?.toLowerCase() ?? "");
	const skipped = named === undefined ? 0 : 1;
	const date = spokenDate(words.slice(skipped, skipped + 3), now);
	const [lastToken, first] = [tokens[index - 1], tokens[index]];
	if (date === undefined || first === undefined) return undefined;
	// The words behind the name of a field have been read with it.
	if (skipped === 0 && lastToken !== undefined && isWord(lastToken) && DATE_FIELDS.has(lastToken.value.toLowerCase()))
		return undefined;
	const length = skipped + date.length;
	const why = `“${words.slice(0, length).join(" ")}” as a date`;
	return { token: { ...first, field: named ?? "on", value: date.value }, length, why };
}

/** Words before a date, and the fields that they stand for. */
const DATE_FIELDS: ReadonlyMap<string, string> = new Map([
	...["since", "after"].map((word) => [word, "since"] as const),
	...["before", "until"].map((word) => [word, "before"] as const),
	["on", "on"],
]);

/** The state that words or a sign at an index name, with the number that rows show behind a sign, or what sessions cost. */
export function spokenStateAt(tokens: readonly Token[], index: number): SpokenCondition | undefined {
	const [token, next] = [tokens[index], tokens[index + 1]];
	if (token === undefined || !isWord(token)) return undefined;
	const word = token.value.toLowerCase();
	const two = next !== undefined && isWord(next) ? `${word}-${next.value.toLowerCase()}` : "";
	if (IS_VALUES.has(two))
		return { token: { ...token, field: "is", value: two }, length: 2, why: `“${two.replace("-", " ")}” as a state` };
	if (NAMED_FIELDS.has(word) && next !== undefined && isWord(next) && !isOr(next)) {
		const { value } = next;
		return { token: { ...token, field: word, value }, length: 2, why: `“${value}” as a ${word}` };
	}
	const [, dollars] = /^\$?(\d+(?:\.\d+)?)$/.exec(next?.value ?? "") ?? [];
	if (COST_WORDS.has(word) && dollars !== undefined)
		return { token: { ...token, field: "cost", value: `>${dollars}` }, length: 2, why: `more than $${dollars}` };
	if (COST_WORDS.has(word))
		return { token: { ...token, field: "cost", value: ">0" }, length: 1, why: "most expensive first" };
	if (/^◫\d*$/.test(word))
		return { token: { ...token, field: "runs", value: ">0" }, length: 1, why: "with runs of subagents" };
	const [, failures] = /^✗(\d+)$/.exec(word) ?? [];
	if (failures !== undefined)
		return {
			token: { ...token, field: "errors", value: failures },
			length: 1,
			why: `as many failed steps as ✗${failures} says`,
		};
	const state = stateOfSign(word) ?? OTHER_STATES.get(word) ?? word;
	if (!IS_VALUES.has(state)) return undefined;
	return { token: { ...token, field: "is", value: state }, length: 1, why: `“${token.value}” as a state` };
}

const COST_WORDS: ReadonlySet<string> = new Set(["cost", "costs", "costly", "expensive", "price", "spent", "$"]);
/** Fields that people type as words: "tag weekly". */
const NAMED_FIELDS: ReadonlySet<string> = new Set(["tag", "project", "agent", "branch"]);
const SIGN_STATES: ReadonlyMap<string, string> = new Map([
	["●", "running"],
	["○", "running"],
	["◐", "waiting"],
	["★", "pinned"],
	["✗", "error"],
	["⚑", "labeled"],
	["✎", "reviewed"],
	["◌", "gone"],
	["!", "damaged"],
]);

/** The state that a sign in a row of the list shows, with or without the number behind it: "labeled" for "⚑3". */
export function stateOfSign(word: string): string | undefined {
	return SIGN_STATES.get(word.replace(/\d+$/, ""));
}

export interface SpokenQuery {
	readonly tokens: readonly Token[];
	readonly why: string;
	/** Whether nothing of it is searched for as text. */
	readonly isWhole: boolean;
}

/** The query in which all words that name conditions are these; undefined where no more than one part is read in another way. */
export function spokenQuery(tokens: readonly Token[], now: number): SpokenQuery | undefined {
	if (tokens.some(isOr)) return undefined;
	const readings: (Pick<SpokenCondition, "token" | "length"> & { readonly why?: string })[] = [];
	for (let at = 0; at < tokens.length; at += readings.at(-1)?.length ?? 1) {
		const [token] = tokens.slice(at);
		if (token === undefined) break;
		readings.push(spokenDateAt(tokens, at, now) ?? spokenStateAt(tokens, at) ?? { token, length: 1 });
	}
	const conditions = readings.filter(({ why }) => why !== undefined);
	const parts = readings.filter(({ token, why }) => why !== undefined || !isWord(token) || !JOINTS.has(token.value));
	if (conditions.length === 0 || conditions.length + readings.length - parts.length < 2) return undefined;
	const why = conditions.map((one) => one.why).join(", ");
	return { tokens: parts.map(({ token }) => token), why, isWhole: parts.length === conditions.length };
}

/** Words that only join what is asked for: "the most expensive sessions of last week". */
const JOINTS: ReadonlySet<string> = new Set("all for from in me most my of sessions the with you".split(" "));
