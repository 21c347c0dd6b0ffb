import { type OPTIONS, type OptionName, optionOf } from "./command-table.ts";

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
	? `${First}${Capitalize<CamelCase<Rest>>}`
	: Name;

type ValueOf<Name extends OptionName> = (typeof OPTIONS)[Name]["kind"] extends "flag"
	? boolean
	: (typeof OPTIONS)[Name]["kind"] extends "count" | "descriptor"
		? number
		: string;

/** The words and options of a command line, checked; an option that was not given is not there. */
export type Given = { readonly words: readonly string[] } & {
	readonly [Name in OptionName as CamelCase<Name>]?: ValueOf<Name>;
};

/** The words, and the options as texts; a flag has none. */
export function givenOf(words: readonly string[], values: ReadonlyMap<OptionName, string>): Given {
	const options = [...values].map(([name, value]) => [camelCase(name), read(name, value)] as const);
	return { words, ...Object.fromEntries(options) };
}

function read(name: OptionName, value: string): true | number | string {
	const { kind } = optionOf(name);
	if (kind === "flag") return true;
	return kind === "count" || kind === "descriptor" ? Number(value) : value;
}

function camelCase(name: string): string {
	return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
