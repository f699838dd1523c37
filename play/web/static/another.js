// Another game like this one, which is kept.

import { make, showDialog } from "./dom.js";
import { addressOf, nextGame, withToken } from "./api.js";
import { complain } from "./table.js";
import { language, say } from "./texts.js";

/** Begin another game; asks first where the one that is played is not over. */
export async function beginAnother(state) {
  if (!state?.position.over && !(await agrees())) return;
  try {
    location.href = withToken(addressOf("game", await nextGame(language, state?.version)));
  } catch (error) {
    complain(error);
  }
}

async function agrees() {
  const buttons = [[say("new"), "new"], [say("stay"), "ok"]];
  return await showDialog(say("leave"), make("p", "", say("leave-about")), buttons) === "new";
}
