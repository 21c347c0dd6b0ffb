import { type Fields, textOf } from "../entries/fields.ts";
import { rowText } from "../entries/row-text.ts";

/** What there is to know of a command of the person besides its output and how it ended. */
export function commandFacts({ output, truncated, fullOutputPath, excludeFromContext }: Fields): string {
	const path = rowText(fullOutputPath);
	return [
		textOf(output).trim() === "" ? "(no output)" : "",
		truncated === true ? "the output is truncated" : "",
		path === "" ? "" : `full output: ${path}`,
		excludeFromContext === true ? "the model does not get it (!!)" : "",
	]
		.filter((fact) => fact !== "")
		.join("\n");
}
