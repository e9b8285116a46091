"""What several fits share: boosted trees as plain numbers, a logistic model, folds by paper."""
