import { formatCounted } from "../../ui/text/format.ts";
import { fieldsOf, firstFields, listOf } from "./fields.ts";
import { joinWords, rowText } from "./row-text.ts";

/** Stored values of a script that a row names. */
const MAX_NAMES = 20;

/** Describes the `custom` entries of pi itself (1.5.2: its core and its own extensions); undefined for those of others. */
export function piCustomText(customType: string, value: unknown): string | undefined {
	const data = fieldsOf(value);
	switch (customType) {
		case "pi.virtual-model-state":
			return `state of the virtual model ${[data.provider, data.modelId].map(rowText).filter(Boolean).join("/")}`;
		case "pi.bug-report":
			return joinWords("bug report", rowText(data.id), rowText(data.hint));
		case "pi.share":
			return `shared: the system prompt and ${formatCounted(listOf(data.tools).length, "tool")}`;
		case "codemode-store": {
			const names = firstFields(data.set, MAX_NAMES).map(([name]) => name);
			const removed = listOf(data.delete).length;
			return joinWords(
				"stored by a script:",
				names.join(", "),
				removed > 0 ? `(${formatCounted(removed, "value")} removed)` : "",
			);
		}
		default:
			return undefined;
	}
}
