import { type Fields, fieldsOf, listOf, textOf } from "../../store/format/fields.ts";
import { formatCounted } from "../../ui/text/format.ts";
import { rowText } from "./row-text.ts";

/** What a model did not get although the session has it. */
interface Withheld {
	/** For a row: "image not seen", "reasoning dropped". */
	readonly short: string;
	/** A sentence. */
	readonly long: string;
}

/** Diagnostics of answers in which providers report the reasoning that they have dropped (pi 1.6.0, `getDroppedReasoning`). */
const DROPPED: ReadonlyMap<unknown, { readonly provider: string; readonly type: string; readonly noun: string }> =
	new Map([
		["anthropic_input_transformations", { provider: "Anthropic", type: "thinking_dropped", noun: "thinking block" }],
		["openai_input_transformations", { provider: "OpenAI", type: "reasoning", noun: "reasoning item" }],
	]);

/**
 * What pi notes beside a message, and nowhere in its text: a picture that the model could not see, reasoning of earlier answers that the
 * provider has dropped from the request. None for most messages.
 */
export function withheldIn({ role, details, diagnostics }: Fields): readonly Withheld[] {
	if (role === "toolResult") {
		const model = rowText(fieldsOf(details).imageUnsupportedByModel);
		if (model === "") return [];
		return [{ short: "image not seen", long: `${model} does not support images: it saw a placeholder` }];
	}
	if (role !== "assistant") return [];
	return listOf(diagnostics).map(fieldsOf).flatMap(droppedReasoning);
}

function droppedReasoning({ type, details }: Fields): readonly Withheld[] {
	const kind = DROPPED.get(type);
	const dropped = listOf(fieldsOf(details).transformations)
		.map(fieldsOf)
		.filter((one) => one.type === kind?.type);
	if (kind === undefined || dropped.length === 0) return [];
	const count = formatCounted(dropped.length, kind.noun);
	const reasons = [...new Set(dropped.map(({ reason }) => textOf(reason)))].filter((reason) => reason !== "");
	const why = reasons.length === 0 ? "" : `: ${reasons.join(", ")}`;
	return [{ short: "reasoning dropped", long: `${kind.provider} dropped ${count} from this request${why}` }];
}
