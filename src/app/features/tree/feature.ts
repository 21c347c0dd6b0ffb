import { DRAWING } from "../../world/opened/select-tree.ts";
import type { Feature } from "../../world/page/page.ts";

export const TREE: Feature = { on: {}, queries: [DRAWING], steps: { panes: [DRAWING.ask] } };
