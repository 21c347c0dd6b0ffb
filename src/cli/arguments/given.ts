import { type OPTIONS, type OptionName, optionOf } from "./command-table.ts";

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
	? `${First}${Capitalize<CamelCase<Rest>>}`
	: Name;

type ValueOf<Name extends OptionName> = (typeof OPTIONS)[Name]["kind"] extends "flag"
	? boolean
	: (typeof OPTIONS)[Name]["kind"] extends "count" | "descriptor"
		? number
		: string;

/** The checked words and options of a command line; options that were not given are absent. */
export type Given = { readonly words: readonly string[] } & {
	readonly [Name in OptionName as CamelCase<Name>]?: ValueOf<Name>;
};

/** Converts the texts of options to values; the text of a flag is not used. */
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
