import type * as changes from "../../../changes/engine/answer.ts";
import type { Effect } from "./effect.ts";

/** What an effect asks the person before it goes on. */
export type Question = changes.Question<Effect>;
