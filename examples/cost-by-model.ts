// Prints what each model has cost, the most expensive first. Entries that were copied by a fork count once:
//
//   node examples/cost-by-model.ts

import { statsAll } from "pi-grove";

const { models, cost, sessions } = await statsAll();
for (const { key, cost, tokens } of models) {
	console.log(`$${cost.toFixed(4)}  ${tokens} tokens  ${key}`);
}
console.log(`$${cost.toFixed(4)}  in ${sessions} sessions`);
