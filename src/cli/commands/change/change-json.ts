import { jsonText } from "../../print/json.ts";
import { printJsonText } from "../../print/output.ts";
import type { CarriedOut } from "./carry-out.ts";

/** Prints what came of a change as JSON, if it is wanted and there is something to say. */
export async function printChange(json: boolean | undefined, { message }: CarriedOut, told: object): Promise<void> {
	if (json === true && message !== undefined) await printJsonText(jsonText({ ...told, message: message.text }));
}
