import { explain } from "../../store/files/store-error.ts";
import { EXIT } from "../print/exit-code.ts";
import type { Chooser } from "./chooser.ts";
import { readHostInfo } from "./host-info.ts";
import { openHostLink } from "./host-link.ts";

/**
 * The pi that started us as the one who waits for a choice. `text`: what it says of itself. A sentence where that cannot be
 * understood, or its link not be used. (A module of its own, loaded where a pi is: the schemas cost a start 20 ms.)
 */
export function hostChooser(text: string): Chooser | string {
	const info = readHostInfo(text);
	if ("mistake" in info) return info.mistake;
	try {
		const link = openHostLink(info);
		return { link, choose: link.choose, leftCode: EXIT.ok };
	} catch (error) {
		return `cannot use the descriptor ${info.fd}, over which pi is to be talked to: ${explain(error)}`;
	}
}
