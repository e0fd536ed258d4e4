import { useState } from 'react';
import { useChosenModel } from '../../../agent-ui/model-choice.tsx';

/** The model that answers next: as picked here, else the conversation's own while it is offered, else the person's last choice. */
export function useSetupModel(ofConversation: string | null): ReturnType<typeof useChosenModel> {
  const { models, model, choose } = useChosenModel();
  const [picked, pick] = useState<string>();
  const known = [picked, ofConversation].find((id) => models.some((each) => each.id === id));
  return {
    models,
    model: known ?? model,
    choose(id) {
      pick(id);
      choose(id);
    },
  };
}
